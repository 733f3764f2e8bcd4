import type { MessageKey } from 'page-kit/messages/catalogue';
import type { ReactNode } from 'react';

import { useViewer } from './viewer-context.ts';

interface MessageProps {
  name: MessageKey;
  values: Readonly<Record<string, ReactNode>>;
}

/** A message with elements as values. */
export function Message({ name, values }: MessageProps) {
  const { formats } = useViewer();
  const parts = formats
    .splitMessage(name, values)
    .map((part, index) => ({ id: index, part, isValue: index % 2 === 1 }));
  return parts.map(({ id, part, isValue }) => (isValue ? <bdi key={id}>{part}</bdi> : part));
}
