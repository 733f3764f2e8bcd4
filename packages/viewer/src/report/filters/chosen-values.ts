import type { Key } from '@portal-embed/report-model';
import type { MessageKey } from 'page-kit/messages/catalogue';

import type { Formats } from '../../format/create-formats.ts';
import type { FilterField, ReaderView } from '../../requests/reader-view.ts';
import type { TilesView } from '../../requests/viewer.ts';

/** Relative dates that readers choose from. */
export const periods = [
  'last 7 days',
  'last 30 days',
  'last 3 months',
  'last 12 months',
  'this month',
  'this quarter',
  'this year',
  'previous month',
  'previous quarter',
  'previous year',
] as const;

const isPeriod = (value: Key): value is (typeof periods)[number] =>
  (periods as readonly Key[]).includes(value);

/** The values of a filter that are in force: those of the reader, or else those of the report. */
export function listChosen(
  { name, default: values = [] }: FilterField,
  { readerFilters }: TilesView,
  { filters }: ReaderView,
): readonly Key[] {
  const own = filters.find(({ field, tile }) => field === name && tile === undefined);
  if (own) return own.values;
  return readerFilters.some(({ field, tile }) => field === name && tile === undefined)
    ? values
    : [];
}

/** The text of one value. A period without a text of its own is its range. */
export function formatChosen(
  { name, type, format }: FilterField,
  value: Key,
  { readerFilters }: Pick<TilesView, 'readerFilters'>,
  formats: Formats,
): string {
  const { formatMessage, formatFilterValue } = formats;
  if (value === null) return formatMessage('value.blank');
  if (value === '') return formatMessage('value.empty');
  if (type === 'boolean') return formatMessage(String(value) === 'true' ? 'value.yes' : 'value.no');
  if (type === 'text') return String(value);
  if (isPeriod(value)) return formatMessage(`period.${value}` satisfies MessageKey);
  if (typeof value === 'number' && format) return formats.formatPosition(value, format);
  const [range] = readerFilters.find(({ field, tile }) => field === name && !tile)?.values ?? [];
  return formatFilterValue(/^(?:last|this|previous) /.test(String(value)) ? range! : String(value));
}
