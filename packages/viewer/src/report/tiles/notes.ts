import type { Groups } from '@portal-embed/report-model';

import type { Formats } from '../../format/create-formats.ts';

/** Says how many rows, or values of a dimension, are shown, unless all are. */
export function noteLimit(
  { groupCount, shownCount }: Groups,
  { formatMessage }: Formats,
  dimension?: string,
): string[] {
  if (groupCount <= shownCount) return [];
  const counts = { shown: shownCount, total: groupCount };
  return [
    dimension === undefined
      ? formatMessage('note.rows', counts)
      : formatMessage('note.values', { ...counts, dimension }),
  ];
}
