import { expect, it, vi } from 'vitest';

import { postgres } from '../emit/postgres.ts';
import type { Connection } from './connection.ts';
import { Connections } from './connections.ts';

const never = new AbortController().signal;
const owner = { organizationId: 'acme', userId: 'ann' };

it('columns are cached until too many are', async () => {
  const columns = new Map(Array.from({ length: 2_000 }, (_, index) => [`c${index}`, 'text']));
  const describe = vi.fn(async () => columns);
  const warehouse = { name: 'warehouse', dialect: postgres, describe } as unknown as Connection;
  const connections = new Connections([warehouse], { sourceQueries: 1, userQueries: 1 });
  const open = (table: string) =>
    connections.get('warehouse')!.open(owner, { connection: 'warehouse', table }, never);
  await open('first');
  await open('first');
  expect(describe).toHaveBeenCalledTimes(1);
  for (let index = 0; index < 250; index += 1) await open(`t${index}`);
  await open('first');
  expect(describe).toHaveBeenCalledTimes(252);
});

it('a statement that nobody waits for when its turn comes is not sent', async () => {
  const query = vi.fn<Connection['query']>(async () => []);
  const describe = async () => new Map([['Region', 'text']]);
  const warehouse = {
    name: 'warehouse',
    dialect: postgres,
    describe,
    query,
  } as unknown as Connection;
  const connections = new Connections([warehouse], { sourceQueries: 1, userQueries: 1 });
  const table = { connection: 'warehouse', table: 'orders' };
  const source = await connections.get('warehouse')!.open(owner, table, never);
  const waiting = new AbortController();
  const statement = { text: 'SELECT 1', values: [] };
  const asked = source.query(owner, statement, waiting.signal, () => waiting.abort());
  await expect(asked).rejects.toThrow('aborted');
  expect(query).not.toHaveBeenCalled();
});
