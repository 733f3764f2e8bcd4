import type { FieldType } from '@portal-embed/report-model';
import { describe, expect, it } from 'vitest';

import { emptyCondition, readRows, writeRows } from './role-conditions.ts';

const types: Record<string, FieldType> = { Sales: 'decimal', Region: 'text', Paid: 'boolean' };
const typeOf = (field: string) => types[field];

describe('rows that a form shows', () => {
  it.each([
    ['all'],
    [{ field: 'Region', in: ['West', 'East'] }],
    [{ field: 'Region', notIn: ['West'], split: ';' }],
    [{ field: 'Sales', in: [10, -1.5, '12345678901234567890'] }],
    [{ field: 'Paid', in: [true] }],
    [{ field: 'Region', in: { viewer: 'groups' }, split: ',' }],
    [{ field: 'Sales', between: [1, 2] }],
    [{ field: 'Region', before: 'M' }],
    [{ field: 'Sales', after: 10 }],
    [{ field: 'Region', isNull: true }],
    [{ field: 'Region', isNull: false }],
    [{ field: 'Region', in: { lookup: 'areas', key: 'Mail', value: 'Area' } }],
    [
      {
        field: 'Region',
        notIn: { lookup: 'areas', key: 'Id', value: 'Area', viewer: 'department', split: ';' },
      },
    ],
    [{ field: 'Region', in: { lookup: 'areas', key: 'Mail', value: 'Area', through: 'Boss' } }],
    [{ matches: { lookup: 'areas', key: 'Mail', fields: { Region: 'Area', City: 'Town' } } }],
    [
      {
        and: [
          { field: 'Region', in: ['West'] },
          { field: 'Sales', after: 10 },
        ],
      },
    ],
    [
      {
        or: [
          { field: 'Region', in: ['West'] },
          { field: 'Region', isNull: true },
        ],
      },
    ],
  ])('%j is written as it was read', (rows) => {
    expect(writeRows(readRows(rows)!, typeOf)).toEqual(rows);
  });

  it('equals is shown as a list of one value', () => {
    expect(writeRows(readRows({ field: 'Region', equals: 'West' })!, typeOf)).toEqual({
      field: 'Region',
      in: ['West'],
    });
  });

  it.each([
    [{ not: { field: 'Region', in: ['West'] } }],
    [{ and: [{ or: [{ field: 'Region', in: ['West'] }] }] }],
    [{ field: 'Region', in: ['West'], before: 'M' }],
    [{ field: 'Region', notIn: { viewer: 'email' } }],
    [{ field: 'Region', in: { lookup: 'a', key: 'k', value: 'v' }, split: ';' }],
    [{ field: 'Region', in: [['West']] }],
    [{ field: 'Region' }],
    [{}],
    [null],
    ['West'],
  ])('%j is left to the text', (rows) => {
    expect(readRows(rows)).toBeUndefined();
  });
});

describe('conditions that are not complete allow no trial and no save', () => {
  it.each([
    [{}],
    [{ field: 'Region' }],
    [{ field: 'Region', operator: 'between', values: ['1'] }],
    [{ field: 'Region', operator: 'between', values: ['', '2'] }],
    [{ field: 'Region', operator: 'before', values: [''] }],
    [{ field: 'Region', operator: 'lookup', lookup: 'areas', key: 'Mail' }],
    [{ operator: 'matches', lookup: 'areas', key: 'Mail', pairs: [['Region', '']] }],
    [{ operator: 'matches', lookup: 'areas', key: 'Mail', pairs: [] }],
    [{ operator: 'blank' }],
  ] as const)('%j', (part) => {
    const condition = { ...emptyCondition, ...part };
    const complete = { ...emptyCondition, field: 'Region', values: ['West'] };
    for (const kind of ['and', 'or'] as const)
      expect(writeRows({ kind, conditions: [complete, condition] }, typeOf)).toBeUndefined();
  });

  it('no conditions at all are not all rows', () => {
    expect(writeRows({ kind: 'and', conditions: [] }, typeOf)).toBeUndefined();
  });
});
