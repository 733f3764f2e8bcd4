import { afterAll, describe, expect, it } from 'vitest';

import { ContentStage } from '../../test/support/content.ts';

const stage = new ContentStage();
afterAll(() => stage.close());
stage.write(
  'tickets.csv',
  'Priority,Team,Hours\nhigh,A,1\nlow,B,2\nlow,A,4\nmid,A,8\nurgent,B,64\nblocked,A,16\n,B,32\n',
);

const dataset = {
  source: { file: 'tickets.csv' },
  fields: [{ name: 'Priority', order: ['low', 'mid', 'high'], colors: { high: 'red' } }],
  metrics: [{ name: 'Hours', expression: 'sum(Hours)' }],
};

/** Listed values, then the others by name, then no value. */
const inOrder = ['low', 'mid', 'high', 'blocked', 'urgent', null];

describe('a field with an order of its own', () => {
  it('orders the values of an axis, and names its order and colors', async () => {
    const [tile] = await stage.tilesOf(dataset, [{ type: 'bar', x: 'Priority', y: 'Hours' }]);
    expect(tile).toMatchObject({
      dimensions: [
        { dimension: { order: ['low', 'mid', 'high'], colors: { high: '#ff0000' } }, role: 'x' },
      ],
      groups: inOrder.map((key) => ({ keys: [key] })),
    });
  });

  it('keeps the first values within a limit', async () => {
    const [tile] = await stage.tilesOf(dataset, [
      { type: 'bar', x: 'Priority', y: 'Hours', limit: 2 },
    ]);
    expect(tile).toMatchObject({
      groups: [
        { keys: ['low'], values: [6] },
        { keys: ['mid'], values: [8] },
        { keys: [null], values: [113], other: 4 },
      ],
    });
  });

  it('orders a table in both directions, with no value last', async () => {
    const sorted = async (sort: string) => {
      const [tile] = await stage.tilesOf(dataset, [
        { type: 'table', dimensions: ['Priority'], metrics: ['Hours'], sort },
      ]);
      return tile && 'groups' in tile ? tile.groups.map(({ keys }) => keys[0]) : [];
    };
    expect(await sorted('Priority')).toEqual(inOrder);
    expect(await sorted('-Priority')).toEqual([...inOrder.slice(0, -1).toReversed(), null]);
  });

  it('orders the rows and columns of a pivot', async () => {
    const [tile] = await stage.tilesOf(dataset, [
      { type: 'pivot', rows: ['Team'], columns: ['Priority'], metrics: ['Hours'] },
    ]);
    expect(tile).toMatchObject({ totals: { columns: inOrder.map((key) => ({ keys: [key] })) } });
  });

  it('orders the list of a filter', async () => {
    const report = {
      filters: [{ field: 'Priority' }],
      pages: [{ name: 'P', rows: [{ tiles: [{ type: 'kpi' as const, metric: 'Hours' }] }] }],
    };
    const { values } = await stage.listValues(dataset, report, { field: 'Priority' });
    expect(values.map(({ key }) => key)).toEqual(inOrder);
  });

  it('orders the rows of an exported chart', async () => {
    const rows = await stage.export(dataset, [{ type: 'bar', x: 'Priority', y: 'Hours' }]);
    expect(rows.slice(1).map(([key]) => key)).toEqual(inOrder);
  });
});

describe('what a tile says of its metrics', () => {
  const metrics = [
    { name: 'Hours', expression: 'sum(Hours)', better: 'lower' as const },
    {
      name: 'Tickets',
      expression: 'count()',
      conditionalFormat: { type: 'bar' as const },
    },
    { name: 'Mean', expression: 'avg(Hours)' },
    { name: 'Priorities', expression: 'count_distinct(Priority)' },
  ];
  const table = {
    type: 'table' as const,
    dimensions: ['Team', 'Priority'],
    metrics: metrics.map(({ name }) => name),
  };

  it('the sums and counts of groups add up, and a lower number can be better', async () => {
    const [tile] = await stage.tilesOf({ ...dataset, metrics }, [table]);
    expect(tile).toMatchObject({
      metrics: [
        { name: 'Hours', better: 'lower', isAdditive: true },
        { name: 'Tickets', isAdditive: true, conditionalFormat: { type: 'bar' } },
        expect.not.objectContaining({ isAdditive: true }),
        expect.not.objectContaining({ isAdditive: true }),
      ],
    });
  });

  it('the conditional format of a tile replaces that of the metric', async () => {
    const conditionalFormat = { Tickets: { type: 'arrow' as const } };
    const [tile] = await stage.tilesOf({ ...dataset, metrics }, [{ ...table, conditionalFormat }]);
    expect(tile).toMatchObject({
      metrics: [{}, { conditionalFormat: { type: 'arrow' } }, {}, {}],
    });
  });

  it('a link has the positions of the dimensions whose values it contains', async () => {
    const [tile] = await stage.tilesOf({ ...dataset, metrics }, [
      { ...table, links: { Team: 'https://acme.example/{Team}?p={Priority}#x' } },
    ]);
    expect(tile).toMatchObject({
      dimensions: [
        { name: 'Team', link: ['https://acme.example/', 0, '?p=', 1, '#x'] },
        expect.not.objectContaining({ link: expect.anything() }),
      ],
    });
  });
});
