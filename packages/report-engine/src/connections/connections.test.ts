import { expect, it, onTestFinished, vi } from 'vitest';

import { ReportError } from '#platform';

import { ContentStage } from '../../test/support/content.ts';
import { postgres } from '../emit/postgres.ts';
import { SourceError, type Connection } from './connection.ts';
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

it('the connections count the statements that run and those that wait, of all connections together', async () => {
  let finish!: (columns: ReadonlyMap<string, string>) => void;
  const columns = new Promise<ReadonlyMap<string, string>>((resolve) => (finish = resolve));
  const describe = () => columns;
  const names = ['warehouse', 'events'];
  const connections = new Connections(
    names.map((name) => ({ name, dialect: postgres, describe }) as unknown as Connection),
    { sourceQueries: 1, userQueries: 1 },
  );
  expect(connections.usage()).toEqual({ running: 0, waiting: 0 });
  const running = ['warehouse', 'warehouse', 'events', 'events'].map((name) =>
    connections.get(name)!.describe(owner, { table: 'orders' }, never),
  );
  expect(connections.usage()).toEqual({ running: 2, waiting: 2 });
  finish(new Map([['Region', 'text']]));
  await Promise.all(running);
  expect(connections.usage()).toEqual({ running: 0, waiting: 0 });
});

it('a user has no more statements at once than the limit, and another user has their own', async () => {
  let finish!: (columns: ReadonlyMap<string, string>) => void;
  const columns = new Promise<ReadonlyMap<string, string>>((resolve) => (finish = resolve));
  const warehouse = { name: 'warehouse', dialect: postgres, describe: () => columns };
  const connections = new Connections([warehouse as unknown as Connection], {
    sourceQueries: 4,
    userQueries: 1,
  });
  const running = ['ann', 'ann', 'bob'].map((userId) =>
    connections.get('warehouse')!.describe({ ...owner, userId }, { table: 'orders' }, never),
  );
  expect(connections.usage()).toEqual({ running: 2, waiting: 1 });
  finish(new Map([['Region', 'text']]));
  await Promise.all(running);
});

it('the usage of the report engine includes the statements of connections', async () => {
  let fail!: (error: Error) => void;
  const columns = new Promise<never>((_resolve, reject) => (fail = reject));
  const warehouse = { name: 'warehouse', dialect: postgres, describe: () => columns };
  const connections = new Connections(
    [{ ...warehouse, close: async () => {} } as unknown as Connection],
    { sourceQueries: 1, userQueries: 1 },
  );
  const stage = new ContentStage(connections);
  onTestFinished(() => stage.close());
  const asked = ['orders', 'returns'].map((table) =>
    stage.compute({ source: { connection: 'warehouse', table } }, [{ type: 'text', text: 'A' }]),
  );
  const settled = Promise.allSettled(asked);
  await expect.poll(() => stage.platform.usage!()).toEqual({ running: 1, waiting: 1 });
  fail(new Error('away'));
  await settled;
});

it('sources of different connections have different keys', async () => {
  const describe = async () => new Map([['Region', 'text']]);
  const names = ['warehouse', 'events'];
  const connections = new Connections(
    names.map((name) => ({ name, dialect: postgres, describe }) as unknown as Connection),
    { sourceQueries: 1, userQueries: 1 },
  );
  const sources = await Promise.all(
    names.map((connection) =>
      connections.get(connection)!.open(owner, { connection, table: 'orders' }, never),
    ),
  );
  expect(sources[0]!.key).not.toBe(sources[1]!.key);
});

it('a source that the database no longer accepts fails the report and names the reason', async () => {
  const describe = vi.fn<Connection['describe']>();
  const warehouse = { name: 'warehouse', dialect: postgres, describe } as unknown as Connection;
  const connections = new Connections([warehouse], { sourceQueries: 1, userQueries: 1 });
  const open = () =>
    connections.get('warehouse')!.open(owner, { connection: 'warehouse', table: 'orders' }, never);
  describe.mockRejectedValueOnce(new SourceError('relation "orders" does not exist'));
  await expect(open()).rejects.toEqual(
    expect.objectContaining({
      constructor: ReportError,
      reason: 'failed',
      message: 'The connection "warehouse" refused the source: relation "orders" does not exist.',
    }),
  );
  const away = new ReportError('unavailable', 'The connection "warehouse" failed: ECONNREFUSED.');
  describe.mockRejectedValueOnce(away);
  await expect(open()).rejects.toBe(away);
});

it.each([
  [undefined, 60_000],
  ['5 minutes', 300_000],
])('with the freshness %s, an answer is at most %d ms old', async (freshness, age) => {
  const describe = async () => new Map([['Region', 'text']]);
  const warehouse = { name: 'warehouse', dialect: postgres, describe } as unknown as Connection;
  const connections = new Connections([warehouse], { sourceQueries: 1, userQueries: 1 });
  const table = { connection: 'warehouse', table: 'orders', ...(freshness && { freshness }) };
  const source = await connections.get('warehouse')!.open(owner, table, never);
  expect(source.maxAgeMs).toBe(age);
});
