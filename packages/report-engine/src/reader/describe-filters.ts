import type {
  ResolvedDataset,
  ResolvedFilter,
  AppliedFilter,
  FilterField,
} from '@portal-embed/report-model';

import type { ReaderFieldFilter } from './read-view.ts';

export const describeFilter = ({
  field,
  values,
  hasBlank,
  grain,
  tile,
  mark,
}: ReaderFieldFilter): AppliedFilter => ({
  field: field.name,
  type: field.type,
  values: [...values, ...(hasBlank ? [null] : [])],
  ...(grain ? { grain } : {}),
  ...(tile === undefined ? {} : { tile }),
  ...(mark ? { mark: mark.index } : {}),
});

export function describeFilterField(
  { fields }: ResolvedDataset,
  { field: name, type, default: values }: ResolvedFilter,
): FilterField {
  const format = fields.get(name)?.format;
  return { name, type, ...(format ? { format } : {}), ...(values ? { default: values } : {}) };
}
