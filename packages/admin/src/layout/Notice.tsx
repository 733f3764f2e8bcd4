import { Text } from '@mantine/core';

import { Page } from '../kit/Page.tsx';
import { useFormats } from '../messages/messages.ts';

const notices = {
  unknown: { title: 'app.not_found.title', text: 'app.not_found.text' },
  forbidden: { title: 'error.forbidden.title', text: 'error.forbidden.text' },
} as const;

/** Shown instead of a page that does not exist or that the role may not open. */
export function Notice({ about }: { about: keyof typeof notices }) {
  const { formatMessage } = useFormats();
  const { title, text } = notices[about];
  return (
    <Page title={formatMessage(title)}>
      <Text>{formatMessage(text)}</Text>
    </Page>
  );
}
