import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';

import { createLogger } from '../../logger.ts';
import type { ReportRequest } from '../platform.ts';
import { Engine } from './engine/engine.ts';
import { builtinPlatform } from './platform.ts';

const measure = { label: 'Sales', aggregate: 'sum', column: 'Sales', format: 'dollars' };
const definition = { tiles: [{ id: 'total', title: 'Total', mark: 'kpi', measure }] };

const root = fs.mkdtempSync(path.join(os.tmpdir(), 'datasets-'));
const folder = path.join(root, 'datasets');
const platform = builtinPlatform({
  folder,
  queries: 2,
  userQueries: 2,
  threads: 1,
  memoryMb: 128,
  cacheMb: 16,
  logger: createLogger('silent'),
});
afterAll(() => platform.close());
beforeEach(() => {
  fs.mkdirSync(folder, { recursive: true });
  return () => fs.rmSync(root, { recursive: true });
});

const write = (name: string, text: string) => fs.writeFileSync(path.join(folder, name), text);

const compute = (file: string, request: Partial<ReportRequest> = {}) =>
  platform.compute({
    organizationId: 'acme',
    userId: 'west',
    platform: 'builtin',
    dataset: { name: 'Orders', file, files: null, definition: null },
    definition,
    page: 0,
    visibleRows: ['all'],
    viewer: createViewer('west@acme.example'),
    findDataset: async () => undefined,
    filters: [],
    unappliedFilters: 'note',
    onTileFailure: () => {},
    signal: new AbortController().signal,
    ...request,
  });

const createViewer = (email: string) => ({
  email: [email],
  department: [],
  groups: [],
  companies: [],
});

const tilesOf = async (file: string, request?: Partial<ReportRequest>) =>
  (await compute(file, request)).page.rows.flat();

const total = async (file: string, request?: Partial<ReportRequest>) => {
  const [tile] = await tilesOf(file, request);
  return tile && 'value' in tile ? tile.value : tile;
};

describe('a dataset’s file name', () => {
  it.each([
    'sales[1].csv',
    'sales*.csv',
    'sale?1.csv',
    's[!x]*.csv',
    '{a,b}.csv',
    'a,b.csv',
    'a\\[1].csv',
    "it's.csv",
    'sales 1%.csv',
    'sales.csv.gz.csv',
    '$1.csv',
  ])('a dataset’s file name is literal: %s', async (name) => {
    for (const other of ['sales1.csv', 'sales.csv', 'a.csv', 'b.csv', 'a1.csv'])
      write(other, 'Sales\n1\n');
    await expect(total(name)).rejects.toThrow('ENOENT');
    write(name, 'Sales\n100\n');
    expect(await total(name)).toBe(100);
  });

  it('a dataset’s folder name is literal', async () => {
    const odd = path.join(root, 'region=West[1]*');
    fs.mkdirSync(odd);
    fs.writeFileSync(path.join(odd, 'a.csv'), 'Sales\n5\n');
    fs.symlinkSync(path.join(odd, 'a.csv'), path.join(folder, 'linked.csv'));
    expect(await total('linked.csv')).toBe(5);
    const byFolder = { filters: [[{ key: 'region', value: 'East' }]] };
    expect(await total('linked.csv', byFolder)).toBe(5);
  });

  it('a dataset’s file must be in the folder and end in .csv or .parquet', async () => {
    fs.writeFileSync(path.join(root, 'outside.csv'), 'Sales\n1\n');
    fs.writeFileSync(path.join(root, 'datasets', 'orders.txt'), 'Sales\n1\n');
    for (const name of ['../outside.csv', path.join(root, 'outside.csv'), 'orders.txt', ''])
      await expect(total(name)).rejects.toThrow(
        `The dataset file "${name}" is not allowed. Use a .parquet or .csv file in ${folder}.`,
      );
  });
});

describe('a dataset’s file', () => {
  it('a dataset’s file may be a link that is added or changed while the portal runs', async () => {
    write('first.csv', 'Sales\n1\n');
    expect(await total('first.csv')).toBe(1);
    for (const [name, sales] of [
      ['old.csv', 10],
      ['new.csv', 20],
    ] as const) {
      fs.writeFileSync(path.join(root, name), `Sales\n${sales}\n`);
      fs.rmSync(path.join(folder, 'linked.csv'), { force: true });
      fs.symlinkSync(path.join(root, name), path.join(folder, 'linked.csv'));
      expect(await total('linked.csv')).toBe(sales);
    }
  });

  it('a dataset’s file and its columns are read again after a change', async () => {
    write('orders.csv', 'Sales\n1\n');
    expect(await total('orders.csv')).toBe(1);
    write('orders.csv', 'Region,Sales\nWest,2\nEast,3\n');
    expect(await total('orders.csv')).toBe(5);
    const west = { filters: [[{ key: 'Region', value: 'West' }]] };
    fs.writeFileSync(path.join(folder, 'next.csv'), 'Region,Sales\nWest,7\nEast,3\n');
    fs.renameSync(path.join(folder, 'next.csv'), path.join(folder, 'orders.csv'));
    expect(await total('orders.csv', west)).toBe(7);
  });

  it('the columns of a dataset’s file are read again after a change of the same length', async () => {
    const byNew = { filters: [[{ key: 'New', value: 'West' }]] };
    write('orders.csv', 'Old,Sales\nWest,1\nEast,2\n');
    expect(await total('orders.csv', byNew)).toBe(3);
    write('orders.csv', 'New,Sales\nWest,4\nEast,5\n');
    expect(await total('orders.csv', byNew)).toBe(4);
  });

  it('a dataset’s file is read again after another file with the same time and length replaces it', async () => {
    const sameTime = new Date('2024-01-01T00:00:00Z');
    const place = (text: string) => {
      write('next.csv', text);
      fs.utimesSync(path.join(folder, 'next.csv'), sameTime, sameTime);
      fs.renameSync(path.join(folder, 'next.csv'), path.join(folder, 'orders.csv'));
    };
    place('Sales\n1\n');
    expect(await total('orders.csv')).toBe(1);
    // Both files exist until the rename, so their inodes differ.
    place('Sales\n2\n');
    expect(await total('orders.csv')).toBe(2);
  });

  it('the columns of a dataset’s file are read again after a change of its length alone', async () => {
    const sameTime = new Date('2024-01-01T00:00:00Z');
    const byNewer = { filters: [[{ key: 'Newer', value: 'West' }]] };
    for (const [text, sales] of [
      ['Old,Sales\nWest,1\nEast,2\n', 3],
      ['Newer,Sales\nWest,4\nEast,5\n', 4],
    ] as const) {
      write('orders.csv', text);
      fs.utimesSync(path.join(folder, 'orders.csv'), sameTime, sameTime);
      expect(await total('orders.csv', byNewer)).toBe(sales);
    }
  });

  it('a link is read in the format of its own extension', async () => {
    write('orders.csv', 'Sales\n1\n');
    expect(await total('orders.csv')).toBe(1);
    fs.symlinkSync(path.join(folder, 'orders.csv'), path.join(folder, 'orders.parquet'));
    await expect(total('orders.parquet')).rejects.toThrow(/parquet/i);
  });

  it('the columns of a dataset’s file are read once while the file is the same', async () => {
    write('orders.csv', 'Sales\n1\n');
    const query = vi.spyOn(Engine.prototype, 'query');
    onTestFinished(() => query.mockRestore());
    await total('orders.csv');
    await total('orders.csv');
    const described = query.mock.calls.filter(([, { text }]) => text.includes('LIMIT 0'));
    expect([described.length, query.mock.calls.length]).toEqual([1, 3]);
  });

  it('the name of a column may contain quotes', async () => {
    write('orders.csv', '"the ""net"" sales",Sales\n1,10\n2,20\n');
    const byQuoted = { filters: [[{ key: 'the "net" sales', value: '2' }]] };
    expect(await total('orders.csv', byQuoted)).toBe(20);
  });
});

describe('a tile', () => {
  it.each([
    ['sum', 15],
    ['mean', 5],
    ['min', 1],
    ['max', 12],
    ['count', 3],
  ])('a measure can be the %s of a column', async (aggregate, expected) => {
    write('orders.csv', 'Sales\n1\n2\n12\n');
    const tiles = [{ ...definition.tiles[0], measure: { ...measure, aggregate } }];
    expect(await total('orders.csv', { definition: { tiles } })).toBe(expected);
  });

  const chart = async (
    dimension: { column: string; by?: string },
    rows = 'Region,Ordered,Sales\nWest,2024-02-03 09:30:00,10\nEast,2024-01-09 17:00:00,20\nEast,2024-02-03 09:45:00,40\nNorth,,5\n',
  ) => {
    write('orders.csv', rows);
    const tiles = [
      { ...definition.tiles[0], mark: 'bar', dimension: { label: 'By', ...dimension } },
    ];
    const [tile] = await tilesOf('orders.csv', { definition: { tiles } });
    if (!tile || !('dimensions' in tile) || tile.type !== 'bar')
      throw new Error('The tile is not a chart.');
    const points = tile.groups.map(({ keys, values }) => [keys[0], values[0]]);
    return { kind: tile.dimensions[0]?.dimension.kind, points };
  };

  it('categories are sorted by value, the highest first, then by name', async () => {
    expect(await chart({ column: 'Region' })).toEqual({
      kind: 'category',
      points: [
        ['East', 60],
        ['West', 10],
        ['North', 5],
      ],
    });
    const equal = 'Region,Sales\nB,1\nA,1\nC,1\n';
    const { points } = await chart({ column: 'Region' }, equal);
    expect(points.map(([x]) => x)).toEqual(['A', 'B', 'C']);
  });

  it.each([
    [
      'day',
      [
        ['2024-01-09', 20],
        ['2024-02-03', 50],
        [null, 5],
      ],
    ],
    [
      'month',
      [
        ['2024-01-01', 20],
        ['2024-02-01', 50],
        [null, 5],
      ],
    ],
    [
      'year',
      [
        ['2024-01-01', 70],
        [null, 5],
      ],
    ],
  ])('times are grouped by %s, in order', async (by, expected) => {
    const { kind, points } = await chart({ column: 'Ordered', by });
    expect(kind).toBe('time');
    expect(points.filter(([, y]) => y !== 0)).toEqual(expected);
  });

  it('a time without rows is 0 for a sum', async () => {
    const { points } = await chart({ column: 'Ordered', by: 'day' });
    expect(points).toHaveLength(27);
    expect(points.slice(0, 2)).toEqual([
      ['2024-01-09', 20],
      ['2024-01-10', 0],
    ]);
  });

  it('a chart by hour of day shows all 24 hours in order', async () => {
    const { kind, points } = await chart({ column: 'Ordered', by: 'hour-of-day' });
    expect(kind).toBe('number');
    expect(points.map(([x]) => x)).toEqual([...Array.from({ length: 24 }).keys(), null]);
    expect(points.filter(([, y]) => y !== 0)).toEqual([
      [9, 50],
      [17, 20],
      [null, 5],
    ]);
  });

  it.each([
    ['times', '2024-01-10\n2024-01-09', 'time', ['2024-01-09', '2024-01-10']],
    [
      'times of day',
      '2024-01-09 17:00:00\n2024-01-09 09:00:00',
      'time',
      ['2024-01-09T09:00:00', '2024-01-09T17:00:00'],
    ],
    ['whole numbers', '10\n9', 'number', [9, 10]],
    ['decimal numbers', '10.5\n9.5', 'number', [9.5, 10.5]],
    ['text', 'b\na', 'category', ['a', 'b']],
  ])('ungrouped %s keep their kind and order', async (_kind, rows, kind, xs) => {
    const text = `Value,Sales\n${rows.split('\n').join(',1\n')},1\n`;
    const { points, ...rest } = await chart({ column: 'Value' }, text);
    expect([rest.kind, points.map(([x]) => x)]).toEqual([kind, xs]);
  });

  it.each(['DECIMAL(9, 2)', 'FLOAT'])(
    'a column of type %s in a Parquet file is a number',
    async (type) => {
      const instance = await DuckDBInstance.create(':memory:');
      const connection = await instance.connect();
      await connection.run(
        `COPY (SELECT unnest([10.5, 9.5])::${type} AS Price, 1 AS Sales)
        TO '${path.join(folder, 'orders.parquet')}' (FORMAT parquet)`,
      );
      connection.closeSync();
      instance.closeSync();
      const dimension = { label: 'Price', column: 'Price' };
      const tiles = [{ ...definition.tiles[0], mark: 'bar', dimension }];
      const [tile] = await tilesOf('orders.parquet', { definition: { tiles } });
      expect(tile).toMatchObject({
        dimensions: [{ dimension: { kind: 'number' } }],
        groups: [
          { keys: [9.5], values: [1] },
          { keys: [10.5], values: [1] },
        ],
      });
    },
  );

  it('a tile has its title, labels and format', async () => {
    write('orders.csv', 'Region,Sales\nWest,1\n');
    const [kpi] = definition.tiles;
    const bar = { ...kpi, id: 'b', title: 'By region', mark: 'bar' };
    const tiles = [kpi, { ...bar, dimension: { label: 'Where', column: 'Region' } }];
    const format = {
      style: 'currency',
      currency: 'USD',
      notation: 'standard',
      maximumFractionDigits: 0,
    };
    const { page } = await compute('orders.csv', { definition: { tiles } });
    expect(page).toEqual({
      name: '',
      index: 0,
      rows: [
        [
          {
            id: 'total',
            type: 'kpi',
            title: 'Total',
            width: 12,
            metric: { name: 'Sales', format },
            value: 1,
          },
        ],
        [
          {
            id: 'b',
            type: 'bar',
            title: 'By region',
            width: 12,
            dimensions: [{ role: 'x', dimension: { name: 'Where', kind: 'category' } }],
            metrics: [{ name: 'Sales', format }],
            stack: 'stacked',
            groups: [{ keys: ['West'], values: [1] }],
            groupCount: 1,
            shownCount: 1,
          },
        ],
      ],
    });
  });

  it('a flat chart shows at most 2,000 groups and combines the others', async () => {
    const rows = Array.from({ length: 2_002 }, (_, index) => `C${index},1`);
    write('orders.csv', `Customer,Sales\n${rows.join('\n')}\n`);
    const dimension = { label: 'Customer', column: 'Customer' };
    const tiles = [{ ...definition.tiles[0], mark: 'bar', dimension }];
    const { rowCount, page } = await compute('orders.csv', { definition: { tiles } });
    const [tile] = page.rows.flat();
    expect(rowCount).toBe(2_002);
    expect(tile).toMatchObject({ groupCount: 2_002, shownCount: 2_000 });
    const groups = tile && 'groups' in tile ? tile.groups : [];
    expect(groups).toHaveLength(2_001);
    expect(groups.at(-1)).toEqual({ keys: [null], values: [2], other: 2 });
  });
});

it('the extension of a dataset’s file decides whether it is read as Parquet', async () => {
  write('orders.parquet', 'Sales\n1\n');
  await expect(total('orders.parquet')).rejects.toThrow(/parquet/i);
});

describe('values', () => {
  const orders = 'Region,Ordered,Sales\nWest,2024-01-03,10\nEast,2024-01-09,20\n,,40\n';

  it.each<[string, string, string[], number | null]>([
    ['a date', 'Ordered', ['2024-01-03'], 10],
    ['a date and text that is not a date', 'Ordered', ['soon', '2024-01-09', 'NULL', ''], 20],
    ['only text that is not a date', 'Ordered', ['soon', '', 'NULL'], null],
    ['a number in another form', 'Sales', ['10.0', '1e1', '0x'], 10],
    ['text', 'Region', ['West'], 10],
  ])('filtering by %s matches exactly the equal rows', async (_name, key, values, expected) => {
    write('orders.csv', orders);
    const filters = [values.map((value) => ({ key, value }))];
    expect(await total('orders.csv', { filters })).toBe(expected);
    const visibleRows = [{ column: key, in: values }];
    expect(await total('orders.csv', { visibleRows })).toBe(expected);
  });

  it('a role by e-mail ignores the letter case of the viewer and of the column', async () => {
    write('orders.csv', 'Owner,Sales\nwest@acme.example,1\nWEST@acme.example,2\nEast,4\n');
    const visibleRows = [{ column: 'Owner', equalsViewerEmail: true } as const];
    const viewer = createViewer('West@Acme.example');
    expect(await total('orders.csv', { visibleRows, viewer })).toBe(3);
  });

  it('a role with an empty list of values sees no rows', async () => {
    write('orders.csv', orders);
    for (const column of ['Region', 'Ordered'])
      for (const rows of [
        { column, in: [] },
        { any: [] },
        { any: [{ column, in: [] }] },
        {
          all: [
            { column: 'Region', in: ['West'] },
            { column, in: [] },
          ],
        },
      ])
        expect(await compute('orders.csv', { visibleRows: [rows] })).toMatchObject({ rowCount: 0 });
    expect(await compute('orders.csv', { visibleRows: [] })).toMatchObject({ rowCount: 0 });
  });
});

describe('the report engine', () => {
  it('a colleague’s report does not wait for all earlier reports of one user', async () => {
    write('orders.csv', 'Sales\n1\n2\n');
    const done: string[] = [];
    let asking = 0;
    const ask = async (organizationId: string, userId: string) => {
      // Equal questions would be computed once.
      const filters = [[{ key: 'Sales', value: `..${(asking += 1) + 10}` }]];
      expect((await compute('orders.csv', { organizationId, userId, filters })).rowCount).toBe(2);
      done.push(userId);
    };
    await ask('acme', 'west');
    const asked = Array.from({ length: 60 }, () => ask('acme', 'west'));
    await Promise.all([...asked, ask('acme', 'colleague'), ask('globex', 'other')]);
    expect(done.indexOf('colleague')).toBeLessThan(15);
    expect(done.indexOf('other')).toBeLessThan(15);
  });

  it('a tile that fails shows a message, and the other tiles are computed', async () => {
    write('orders.csv', 'Sales\n1\n');
    const [tile] = definition.tiles;
    const broken = { ...tile, id: 'broken', measure: { ...measure, column: 'Gone' } };
    const failures: unknown[] = [];
    const tiles = await tilesOf('orders.csv', {
      definition: { tiles: [broken, tile] },
      onTileFailure: (error) => failures.push(error),
    });
    expect(tiles).toMatchObject([
      {
        id: 'broken',
        title: 'Total',
        failure: expect.stringMatching(/^This tile could not be computed\. Try again;/),
      },
      { id: 'total', value: 1 },
    ]);
    expect(failures).toMatchObject([{ message: 'The dataset has no column "Gone".' }]);
  });

  it('when a report fails, its other queries are aborted', async () => {
    write('orders.csv', 'Sales\n1\n');
    const aggregates = ['sum', 'mean', 'min', 'max'];
    const tiles = aggregates.map((aggregate) => {
      const measured = { ...measure, aggregate };
      return { id: aggregate, title: aggregate, mark: 'kpi', measure: measured };
    });
    await total('orders.csv');
    // The first query of a report over known columns counts its rows.
    const counted = vi
      .spyOn(Engine.prototype, 'query')
      .mockRejectedValueOnce(new Error('no count'));
    onTestFinished(() => counted.mockRestore());
    const filters = [[{ key: 'Sales', value: '1' }]];
    const report = compute('orders.csv', { definition: { tiles }, filters });
    await expect(report).rejects.toThrow('no count');
    expect(platform.usage().waiting).toBe(0);
  });

  it('a report with many tiles causes no warning', async () => {
    write('orders.csv', 'Sales\n1\n');
    const warnings: Error[] = [];
    const note = (warning: Error) => warnings.push(warning);
    process.on('warning', note);
    onTestFinished(() => void process.off('warning', note));
    const tiles = Array.from({ length: 40 }, () => definition.tiles[0]);
    expect(await tilesOf('orders.csv', { definition: { tiles } })).toHaveLength(40);
    await new Promise(setImmediate);
    expect(warnings.map(({ name }) => name)).not.toContain('MaxListenersExceededWarning');
  });
});
