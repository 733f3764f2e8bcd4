import { Badge } from '@mantine/core';

import { useFormats } from '../messages/messages.ts';

/** When a user's access ends. */
export function Expiry({ date, isExpired }: { date: string | null; isExpired: boolean }) {
  const { formatMessage, formatDate } = useFormats();
  if (date === null) return formatMessage('users.never');
  if (!isExpired) return formatDate(date);
  return <Badge color="red">{formatMessage('users.expired_on', { date: formatDate(date) })}</Badge>;
}
