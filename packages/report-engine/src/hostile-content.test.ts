import type { FieldType } from '@portal-embed/report-model';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { ContentStage, storeDataset, type StageRequest } from '../test/support/content.ts';
import { readerView } from '../test/support/reader-view.ts';
import { readDataset } from './content.ts';

let stage: ContentStage;
beforeAll(() => {
  stage = new ContentStage();
  stage.write('times.csv', 'At\n2024-01-01 00:00:00\n9999-12-31 23:59:59\n');
  stage.write(
    'owners.csv',
    'Owner,Amount\nadmin@acme.example,5\nadmın@acme.example,6\nADMİN@acme.example,7\nADMIN@acme.example,8\n',
  );
  stage.write('amounts.csv', 'Owner,Amount\nwest@acme.example,5\neast@acme.example,12\n');
  stage.write(
    'texts.csv',
    `Text\n${Array.from({ length: 2_000 }, (_, index) => `${index}-${'x'.repeat(100)}`).join('\n')}\n`,
  );
});
afterAll(() => stage.close());

const count = { metrics: [{ name: 'Rows', expression: 'count()' }] };
const kpi = { type: 'kpi', metric: 'Rows' } as const;

/** The number of rows that remain. */
const rowsOf = async (
  dataset: Parameters<ContentStage['compute']>[0],
  request: StageRequest,
): Promise<number> => (await stage.compute({ ...count, ...dataset }, [kpi], request)).rowCount;

const times = { source: { file: 'times.csv' } };

describe('a range of days', () => {
  it.each([
    [{ between: ['2024-01-02', '9999-12-31'] as [string, string] }, 1],
    [{ between: ['2024-01-01', '9999-12-30'] as [string, string] }, 1],
    [{ after: '9999-12-31' }, 0],
    [{ before: '9999-12-31' }, 1],
  ])('%j on times may end with the last day of the calendar', async (rows, expected) => {
    expect(await rowsOf(times, { visibleRows: [{ field: 'At', ...rows }] })).toBe(expected);
  });
});

describe('the e-mail of a reader', () => {
  it.each([
    ['admin@acme.example', 2],
    ['Admin@acme.example', 2],
    // Another user, although the engine's lower case of both is the same.
    ['adm\u0130n@acme.example', 1],
    ['adm\u0131n@acme.example', 1],
  ])('%s is that of the rows of this user alone', async (email, expected) => {
    const visibleRows = [{ field: 'Owner', equals: { viewer: 'email' } } as const];
    const viewer = { email: [email], department: [], groups: [], companies: [] };
    expect(await rowsOf({ source: { file: 'owners.csv' } }, { visibleRows, viewer })).toBe(
      expected,
    );
  });
});

it.each(['=', '..'])(
  'a filter of many digits says nothing about rows that the reader does not see (%s)',
  async (kind) => {
    const digits = `0.${'1'.repeat(37)}`;
    const filters = [[{ key: 'Exact', value: kind === '..' ? `${digits}..` : digits }]];
    const visibleRows = [{ field: 'Owner', equals: { viewer: 'email' } } as const];
    for (const expression of ['Amount', 'coalesce(Amount, 0.5)', 'Amount * 1.5']) {
      const dataset = { source: { file: 'amounts.csv' }, fields: [{ name: 'Exact', expression }] };
      expect(await rowsOf(dataset, { visibleRows, filters })).toBe(kind === '..' ? 1 : 0);
    }
  },
);

describe('small decimals', () => {
  beforeAll(() => stage.write('small.csv', 'N\n1\n1\n2\n3\n'));
  const share = 'case when N = 1 then 0.0000001 when N = 2 then 0.0000002 else 0.5 end';
  const fields = [{ name: 'Share', expression: share }];
  const dataset = { ...count, source: { file: 'small.csv' }, fields };
  const donut = { type: 'donut' as const, metric: 'Rows', color: 'Share', limit: 1 };

  it('beyond the limit are counted once', async () => {
    const tiles = await stage.tilesOf(dataset, [donut]);
    expect(tiles[0]).toMatchObject({
      groups: [
        { keys: [1e-7], values: [2] },
        { keys: [null], values: [2], other: 2 },
      ],
    });
  });

  it.each([1e-7, '1e-7..2e-7'])('are filtered by %s', async (value) => {
    const view = readerView({ field: 'Share', values: [value] });
    const { rowCount } = await stage.compute(dataset, [donut], { view });
    expect(rowCount).toBe(value === 1e-7 ? 2 : 3);
  });
});

describe('a result that is too large', () => {
  const text = { name: 'Long', expression: `concat(${Array(100).fill('Text').join(', ')})` };
  const dataset = { ...count, source: { file: 'texts.csv' }, fields: [text] };
  const table = { type: 'table' as const, dimensions: ['Long'], metrics: ['Rows'] };

  it('fails its tile and does not reach the portal', async () => {
    const errors: unknown[] = [];
    const onTileFailure = (error: unknown) => errors.push(error);
    const [tile] = await stage.tilesOf(dataset, [table], { onTileFailure });
    expect(tile).toMatchObject({ failure: { code: 'out_of_memory' } });
    expect(errors).toMatchObject([{ message: expect.stringContaining('characters') }]);
  });

  it('counts for the whole page', async () => {
    const fields = [{ ...text, expression: `concat(${Array(35).fill('Text').join(', ')})` }];
    const tiles = await stage.tilesOf(
      { ...dataset, fields },
      Array.from({ length: 6 }, () => table),
    );
    const failed = tiles.filter((tile) => 'failure' in tile);
    expect(failed).not.toHaveLength(0);
    expect(failed.length).toBeLessThan(tiles.length);
    expect(failed[0]).toMatchObject({ failure: { code: 'too_much_data' } });
  });
});

it('a look-up of too much text shows no rows', async () => {
  const long = `concat(${Array(30).fill('Text').join(', ')})`;
  const texts = storeDataset({
    name: 'Texts',
    source: { file: 'texts.csv' },
    fields: [
      { name: 'Long', expression: long },
      { name: 'Owner', expression: "coalesce('west@acme.example', Text)" },
    ],
  });
  const lookup = { lookup: 'texts', key: 'Owner', value: 'Long', viewer: 'email' as const };
  const computed = rowsOf(
    { source: { file: 'amounts.csv' } },
    {
      visibleRows: [{ not: { field: 'Owner', in: lookup } }],
      findDataset: async () => texts,
    },
  );
  await expect(computed).rejects.toThrow('returns more than 4 MB of text for one reader');
});

it('a dataset is resolved once, until its definition or the columns of its files change', async () => {
  const read = (name: string, columns: [string, FieldType][]) => {
    const stored = storeDataset({ name, source: { file: 'a.csv' } });
    return readDataset(stored, new Map(columns), async () => {});
  };
  const first = await read('Orders', [['A', 'text']]);
  expect(await read('Orders', [['A', 'text']])).toBe(first);
  expect((await read('Sales', [['A', 'text']])).name).toBe('Sales');
  const { fields } = await read('Orders', [['A', 'integer']]);
  expect(fields.get('A')).toMatchObject({ type: 'integer' });
});

it('resolving a dataset of many metrics pauses for other requests', async () => {
  const metrics = Array.from({ length: 100 }, (_, index) => ({
    name: `Metric ${index}`,
    expression: 'count()',
  }));
  const pause = vi.fn(async () => {});
  const stored = storeDataset({ source: { file: 'a.csv' }, metrics });
  await readDataset(stored, new Map([['A', 'text']]), pause);
  expect(pause.mock.calls.length).toBeGreaterThanOrEqual(10);
});
