import { Text } from '@mantine/core';

import { useFormats } from '../messages/messages.ts';
import { useRights } from '../session/rights.ts';

/** The sentence about each right. */
const sentences = {
  canCreate: 'rights.no_create',
  canEdit: 'rights.no_edit',
  canOverwrite: 'rights.no_overwrite',
} as const;

/** Says which of these rights a contributor lacks, and whom to ask. */
export function MissingRights({ of }: { of: readonly (keyof typeof sentences)[] }) {
  const { formatMessage } = useFormats();
  const rights = useRights();
  const missing = rights ? of.filter((right) => !rights[right]) : [];
  if (missing.length === 0) return null;
  return (
    <Text c="dimmed">
      {missing.map((right) => `${formatMessage(sentences[right])} `)}
      {formatMessage('rights.ask')}
    </Text>
  );
}
