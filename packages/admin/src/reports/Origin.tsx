import { Text } from '@mantine/core';

import { useFormats } from '../messages/messages.ts';

interface OriginProps {
  product: string | null;
  file: string | null;
  savedBy: string | null;
  savedFrom: 'files' | 'pages' | null;
  savedAt: string | null;
  isEdited: boolean;
}

/** The product or the file that an item comes from, and whether it was edited in the administration afterwards. */
export function Origin({ item }: { item: OriginProps }) {
  const { formatMessage, formatTime } = useFormats();
  const { product, savedBy, savedFrom, savedAt, isEdited } = item;
  const file = item.file ?? '';
  if (product !== null)
    return <Text size="sm">{formatMessage('origin.product', { product })}</Text>;
  if (savedAt === null) return <Text size="sm">{formatMessage('origin.file', { file })}</Text>;
  const values = { file, by: savedBy ?? '', at: formatTime(savedAt) };
  const key = savedFrom === 'pages' || isEdited ? 'origin.pages' : 'origin.files';
  return (
    <Text size="sm" c="dimmed" className="breakable">
      {formatMessage(savedBy === null ? 'origin.file' : key, values)}
    </Text>
  );
}
