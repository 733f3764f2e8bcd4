import { expect, it } from 'vitest';

import { presentColumns, toColumns } from './column-map.ts';

const columns = { id: 'id', expiresAt: 'expires_at' } as const;

it('a row shows the fields of its map alone, with dates in ISO 8601', () => {
  const row = { id: 'u1', expires_at: new Date('2027-01-31T09:00:00Z'), secret: 'x' };
  expect(presentColumns(columns, row)).toEqual({ id: 'u1', expiresAt: '2027-01-31T09:00:00.000Z' });
  expect(presentColumns(columns, { ...row, expires_at: null }).expiresAt).toBeNull();
});

it('the columns of given fields include null, and no field that is absent or not of the map', () => {
  expect(toColumns(columns, { expiresAt: null })).toEqual({ expires_at: null });
  const given = { id: undefined, expiresAt: 'now', secret: 'x' };
  expect(toColumns(columns, given)).toEqual({ expires_at: 'now' });
});
