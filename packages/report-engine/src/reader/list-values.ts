import type { FieldValues } from '@portal-embed/report-model';

import { ReaderViewError, type ValuesRequest } from '#platform';

import type { OpenReport } from '../open-report.ts';
import { chooseRows } from '../plan/compare.ts';
import { rowCount } from '../plan/plan.ts';
import { containsText } from '../plan/search.ts';

/** Maximum number of values. The reader finds others by a search. */
const maxValues = 100;

/** Lists the values of a field under the reader's roles and all filters but those on the field. */
export async function listValues(
  { dataset, report, hostFilters, readerFilters, rowsFor, run }: OpenReport,
  { field: name, search = '' }: Pick<ValuesRequest, 'field' | 'search'>,
): Promise<FieldValues> {
  const field = report.filters.some((filter) => filter.field === name)
    ? dataset.fields.get(name)
    : undefined;
  if (!field) throw new ReaderViewError(`The report has no filter for a field "${name}".`);
  const others = readerFilters.filter((filter) => filter.field.name !== name);
  const rows = rowsFor([...hostFilters, ...others]);
  const { groups, groupCount } = await run({
    rows: search === '' ? rows : chooseRows(rows, containsText(field, search)),
    dimensions: [{ expression: field.expression, order: field.order }],
    metrics: [rowCount],
    order: [
      field.order
        ? { by: 'dimension', index: 0, isDescending: false }
        : { by: 'metric', index: 0, isDescending: true },
    ],
    limit: maxValues,
  });
  return {
    values: groups.map(({ keys: [key = null], values: [count] }) => ({
      key,
      count: Number(count),
    })),
    valueCount: groupCount,
  };
}
