import type { FieldType } from '@portal-embed/report-model';

import type { AdminDataset } from '../requests/datasets.ts';

/** The type of a field; `undefined` if the dataset does not have it. */
export const findType = ({ fields }: AdminDataset, field: string): FieldType | undefined =>
  fields.find(({ name }) => name === field)?.type;

/** Names of fields, with one that the text uses although it is not among them. */
export const listNames = (fields: readonly { name: string }[], used: string): string[] => {
  const names = fields.map(({ name }) => name);
  return used === '' || names.includes(used) ? names : [...names, used];
};
