import type { RoleText, RowPredicate } from '@portal-embed/report-model';
import { expect, it } from 'vitest';

import { resolveColumns } from '../../test/support/content.ts';
import { describeRole } from './describe-roles.ts';

const { fields } = resolveColumns('Orders', { Region: 'text', Sales: 'integer', Ordered: 'date' });
const scope = { fields, nameOf: (slug: string) => `name of ${slug}` };
const keys = { lookup: 'access', key: 'email', viewer: 'email' } as const;
const regions = (...values: string[]): RowPredicate => ({ field: 'Region', in: values });
const values = (count: number, ...named: string[]): RoleText => ({
  kind: 'values',
  field: 'Region',
  type: 'text',
  values: named,
  count,
});

it.each<[RowPredicate | 'all', RoleText]>([
  ['all', { kind: 'all' }],
  [regions('West'), values(1, 'West')],
  [regions('1', '2', '3', '4', '5', '6', '7'), values(7, '1', '2', '3', '4', '5')],
  [
    { field: 'Region', notIn: ['Secret'] },
    { kind: 'not', part: values(1) },
  ],
  [
    { not: { or: [regions('Secret'), { not: { field: 'Region', equals: 'Other' } }] } },
    {
      kind: 'not',
      part: { kind: 'or', parts: [values(1), { kind: 'not', part: values(1) }] },
    },
  ],
  [
    { field: 'Sales', between: [1, 5] },
    { kind: 'range', field: 'Sales', from: '1', to: '5' },
  ],
  [
    { field: 'Ordered', before: '2024-01-01' },
    { kind: 'before', field: 'Ordered', value: '2024-01-01' },
  ],
  [
    { field: 'Region', isNull: false },
    { kind: 'not', part: { kind: 'blank', field: 'Region' } },
  ],
  [
    { field: 'Region', split: ';', equals: { viewer: 'department' } },
    { kind: 'viewer', field: 'Region', attribute: 'department' },
  ],
  [
    { field: 'Region', in: { ...keys, value: 'region', through: 'manager' } },
    { kind: 'look-up', fields: ['Region'], dataset: 'name of access', levels: true },
  ],
  [
    { matches: { ...keys, fields: { Region: 'region', Sales: 'n' } } },
    { kind: 'look-up', fields: ['Region', 'Sales'], dataset: 'name of access', levels: false },
  ],
])('the role %j is described without values that it hides', (rows, text) => {
  expect(describeRole(scope, rows)).toEqual(text);
});
