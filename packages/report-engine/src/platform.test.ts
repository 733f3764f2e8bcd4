import fs from 'node:fs';
import path from 'node:path';

import type { RowPredicate } from '@portal-embed/report-model';
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest';

import { ReportError } from '#platform';

import { ContentStage, type StageRequest } from '../test/support/content.ts';
import { Connections } from './connections/connections.ts';
import { Engine } from './engine/engine.ts';

const stage = new ContentStage();
afterAll(() => stage.close());
stage.write('orders.csv', 'Region,Ordered,Sales\nWest,2024-01-03,10\nEast,2024-01-09,20\n,,40\n');
stage.write('owners.csv', 'Owner,Sales\nwest@acme.example,1\nWEST@acme.example,2\nEast,4\n');
stage.write('sales.csv', 'Sales\n1\n2\n');

const metrics = [
  { name: 'Sales', expression: 'sum(Sales)' },
  { name: 'Average', expression: 'avg(Sales)' },
  { name: 'Least', expression: 'min(Sales)' },
  { name: 'Most', expression: 'max(Sales)' },
];
const kpi = { type: 'kpi', metric: 'Sales' } as const;

const tilesOf = (
  file: string,
  tiles: Parameters<ContentStage['tilesOf']>[1],
  request?: StageRequest,
) => stage.tilesOf({ source: { file }, metrics }, tiles, request);

const rowCountOf = async (file: string, request: StageRequest): Promise<number> =>
  (await stage.compute({ source: { file }, metrics }, [kpi], request)).rowCount;

/** The sales of a file's rows. */
async function total(file: string, request?: StageRequest) {
  const [tile] = await tilesOf(file, [kpi], request);
  return tile && 'value' in tile ? tile.value : tile;
}

describe('values', () => {
  it.each<[string, string, string[], number | null]>([
    ['a date', 'Ordered', ['2024-01-03'], 10],
    ['a date and text that is not a date', 'Ordered', ['soon', '2024-01-09', 'NULL', ''], 20],
    ['only text that is not a date', 'Ordered', ['soon', '', 'NULL'], null],
    ['a number in another form', 'Sales', ['10.0', '1e1', '0x'], 10],
    ['text', 'Region', ['West'], 10],
  ])('filtering by %s matches exactly the equal rows', async (_name, key, values, expected) => {
    const filters = [values.map((value) => ({ key, value }))];
    expect(await total('orders.csv', { filters })).toBe(expected);
    const visibleRows = [{ field: key, in: values }];
    expect(await total('orders.csv', { visibleRows })).toBe(expected);
  });

  const ofReader = (field: string): RowPredicate => ({ field, equals: { viewer: 'email' } });

  it('a role by e-mail ignores the letter case of the viewer and of the column', async () => {
    const visibleRows = [ofReader('Owner')];
    const viewer = { email: ['West@Acme.example'], department: [], groups: [], companies: [] };
    expect(await total('owners.csv', { visibleRows, viewer })).toBe(3);
  });

  it('a role by e-mail sees no rows of a column that has no text', async () => {
    for (const field of ['Sales', 'Ordered'])
      expect(await rowCountOf('orders.csv', { visibleRows: [ofReader(field)] })).toBe(0);
  });

  it('a reader without a role sees no rows', async () => {
    expect(await rowCountOf('orders.csv', { visibleRows: [] })).toBe(0);
  });
});

/** Until the end of the test, queries that contain a text fail. */
function failQueries(part: string, error: Error): void {
  const query: Engine['query'] = Reflect.get(Engine.prototype, 'query');
  const spied = vi.spyOn(Engine.prototype, 'query').mockImplementation(function (
    this: Engine,
    ...given
  ) {
    const [, { text }] = given;
    return text.includes(part) ? Promise.reject(error) : query.apply(this, given);
  });
  onTestFinished(() => spied.mockRestore());
}

describe('the report engine', () => {
  it('a colleague’s report does not wait for all earlier reports of one user', async () => {
    // The same files, so that an engine process opens them once.
    fs.symlinkSync('acme', path.join(stage.folder, 'globex'));
    const done: string[] = [];
    let asking = 0;
    const ask = async (organizationId: string, userId: string) => {
      // Equal questions would be computed once.
      const filters = [[{ key: 'Sales', value: `..${(asking += 1) + 10}` }]];
      expect(await rowCountOf('sales.csv', { organizationId, userId, filters })).toBe(2);
      done.push(userId);
    };
    await ask('acme', 'west');
    await ask('globex', 'other');
    done.length = 0;
    const asked = Array.from({ length: 60 }, () => ask('acme', 'west'));
    await Promise.all([...asked, ask('acme', 'colleague'), ask('globex', 'other')]);
    expect(done.indexOf('colleague')).toBeLessThan(15);
    expect(done.indexOf('other')).toBeLessThan(15);
  });

  it('a tile that fails shows a message, and the other tiles are computed', async () => {
    failQueries('max(', new Error('gone'));
    const failures: unknown[] = [];
    const tiles = await tilesOf(
      'sales.csv',
      [{ type: 'kpi', title: 'Largest', metric: 'Most' }, kpi],
      { onTileFailure: (error) => failures.push(error) },
    );
    expect(tiles).toMatchObject([
      { id: '0.0.0', title: 'Largest', failure: { code: 'failed' } },
      { id: '0.1.0', value: 3 },
    ]);
    expect(failures).toMatchObject([{ message: 'gone' }]);
  });

  it.each([
    ['crashed', 'failed'],
    ['failed', 'failed'],
    ['out_of_memory', 'out_of_memory'],
    ['overflow', 'overflow'],
    ['timeout', 'timeout'],
    ['unavailable', 'unavailable'],
  ] as const)('a tile whose query fails for the reason %s shows %s', async (reason, code) => {
    failQueries('avg(', new ReportError(reason, 'for a test'));
    const tile = { type: 'kpi', metric: 'Average' } as const;
    const tiles = await tilesOf('sales.csv', [tile], { onTileFailure: () => {} });
    expect(tiles).toMatchObject([{ failure: { code } }]);
  });

  it('a report fails as a whole if the engine is overloaded for one of its tiles', async () => {
    const overloaded = new ReportError('overloaded', 'for a test');
    failQueries('min(', overloaded);
    const tiles = ['Least', 'Sales'].map((metric) => ({ type: 'kpi' as const, metric }));
    const asked = tilesOf('sales.csv', tiles, { onTileFailure: () => {} });
    await expect(asked).rejects.toBe(overloaded);
  });

  it('when a report fails, its other queries are aborted', async () => {
    await total('sales.csv');
    const signals: AbortSignal[] = [];
    const query = vi.spyOn(Engine.prototype, 'query').mockImplementation(
      (_owner, _query, signal) =>
        new Promise((_resolve, reject) => {
          signals.push(signal);
          signal.addEventListener('abort', () => reject(signal.reason as Error));
        }),
    );
    onTestFinished(() => query.mockRestore());
    // The first query of a report over known columns counts its rows.
    query.mockImplementationOnce(async () => {
      await expect.poll(() => signals.length).toBe(metrics.length);
      throw new Error('no count');
    });
    const filters = [[{ key: 'Sales', value: '1' }]];
    const tiles = metrics.map(({ name }) => ({ type: 'kpi' as const, metric: name }));
    await expect(tilesOf('sales.csv', tiles, { filters })).rejects.toThrow('no count');
    expect(signals.map(({ aborted }) => aborted)).toEqual(metrics.map(() => true));
  });

  it('when a reader leaves, no tile has failed', async () => {
    await total('sales.csv');
    const query = vi.spyOn(Engine.prototype, 'query').mockImplementation(
      (_owner, _query, signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason as Error));
        }),
    );
    onTestFinished(() => query.mockRestore());
    const reader = new AbortController();
    const onTileFailure = vi.fn();
    const filters = [[{ key: 'Sales', value: '2' }]];
    const asked = tilesOf('sales.csv', [kpi], { filters, onTileFailure, signal: reader.signal });
    await expect.poll(() => query.mock.calls.length).toBe(2);
    reader.abort();
    await expect(asked).rejects.toThrow('aborted');
    await new Promise(setImmediate);
    expect(onTileFailure).not.toHaveBeenCalled();
  });

  it('a dataset over a connection that is not configured is unavailable', async () => {
    const source = { connection: 'warehouse', table: 'orders' };
    await expect(stage.compute({ source }, [{ type: 'text', text: 'A' }])).rejects.toMatchObject({
      reason: 'unavailable',
      message: 'The connection "warehouse" is not configured.',
    });
  });

  it('a report names the filters of its URL whose values cannot be read', async () => {
    const filters = [['ten', '10'].map((value) => ({ key: 'Sales', value }))];
    const computed = await stage.compute({ source: { file: 'orders.csv' }, metrics }, [kpi], {
      filters,
    });
    expect(computed.unreadableFilters).toEqual([{ key: 'Sales', value: 'ten' }]);
  });

  it('closing the engine closes the connections to other databases', async () => {
    const connections = new Connections([], { sourceQueries: 1, userQueries: 1 });
    const close = vi.spyOn(connections, 'close');
    await new ContentStage(connections).close();
    expect(close).toHaveBeenCalledOnce();
  });

  it('a report with many tiles causes no warning', async () => {
    const warnings: Error[] = [];
    const note = (warning: Error) => warnings.push(warning);
    process.on('warning', note);
    onTestFinished(() => void process.off('warning', note));
    const row = { tiles: Array.from({ length: 4 }, () => ({ ...kpi, width: 3 })) };
    const pages = [{ name: 'Page', rows: Array.from({ length: 10 }, () => row) }];
    const { page } = await stage.compute({ source: { file: 'sales.csv' }, metrics }, { pages });
    expect(page.rows.flat()).toHaveLength(40);
    await new Promise(setImmediate);
    expect(warnings.map(({ name }) => name)).not.toContain('MaxListenersExceededWarning');
  });
});
