import type { ReportView, TilesView } from '../requests/viewer.ts';
import type { Formats } from './create-formats.ts';
import { listHostFilters } from './filter-names.ts';

/** All filters that limit the rows: those of the host, then those of the reader and the report. */
export const listFilters = (view: ReportView, formats: Formats) => [
  ...listHostFilters(view, formats),
  ...(view.kind === 'tiles' ? view.readerFilters : []).map((filter) =>
    nameReaderFilter(filter, formats),
  ),
];

/** A filter of the reader or the report, with the name and values that a reader sees. */
export function nameReaderFilter(
  { field, type, values, grain, tile }: TilesView['readerFilters'][number],
  formats: Formats,
) {
  const nameOf = formats.formatterOf({ name: field, kind: grain ? 'number' : 'category', grain });
  const hasRanges = type !== 'text' && type !== 'boolean' && !grain;
  return {
    key: [field, grain, tile].join(' '),
    column: field,
    // `nameOf` also names blank and empty values.
    values: values.map((value) => {
      if (value && hasRanges) return formats.formatFilterValue(value);
      return nameOf(value && type === 'boolean' ? value === 'true' : value);
    }),
  };
}
