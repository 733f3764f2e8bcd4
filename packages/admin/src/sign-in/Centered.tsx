import { Center } from '@mantine/core';
import { useEffect, type ReactNode } from 'react';

import { useFormats } from '../messages/messages.ts';

/** A page without navigation. */
export function Centered({ title, children }: { title: string; children: ReactNode }) {
  const { formatMessage } = useFormats();
  useEffect(() => {
    document.title = `${title} · ${formatMessage('app.title')}`;
  }, [title, formatMessage]);
  return (
    <Center mih="100vh" p="md">
      {children}
    </Center>
  );
}
