import type { ReportView, TilesView } from '../requests/viewer.ts';
import type { Formats } from './create-formats.ts';
import { listHostFilters } from './filter-names.ts';

/** All filters that limit the rows: those of the host, then those of the reader and the report. */
export const listFilters = (view: ReportView, formats: Formats) => [
  ...listHostFilters(view, formats),
  ...(view.kind === 'tiles' ? nameReaderFilters(view.readerFilters, formats) : []),
];

type AppliedFilter = TilesView['readerFilters'][number];

interface NamedFilter {
  key: string;
  column: string;
  values: string[];
}

/** The filters of the reader. Several marks of a tile are one filter, whose values are the marks. */
export function nameReaderFilters(
  filters: readonly AppliedFilter[],
  formats: Formats,
): NamedFilter[] {
  const isFirst = ({ tile, mark }: AppliedFilter, index: number) =>
    mark === undefined ||
    index === filters.findIndex((other) => other.tile === tile && other.mark !== undefined);
  return filters.filter(isFirst).map((filter) =>
    filter.mark === undefined
      ? nameReaderFilter(filter, formats)
      : nameMarks(
          filters.filter(({ tile, mark }) => tile === filter.tile && mark !== undefined),
          formats,
        ),
  );
}

function nameMarks(filters: readonly AppliedFilter[], formats: Formats): NamedFilter {
  const named = filters.map((filter) => ({
    mark: filter.mark,
    ...nameReaderFilter(filter, formats),
  }));
  const marks = [...new Set(named.map(({ mark }) => mark))];
  return {
    key: `${filters[0]!.tile}`,
    column: [...new Set(named.map(({ column }) => column))].join(', '),
    values: marks.map((mark) =>
      named
        .filter((each) => each.mark === mark)
        .flatMap(({ values }) => values)
        .join(', '),
    ),
  };
}

/** A filter of the reader or the report, with the name and values that a reader sees. */
export function nameReaderFilter(
  { field, type, values, grain, tile }: AppliedFilter,
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
