import { describe, expect, it, onTestFinished, vi } from 'vitest';

import {
  createFlatStage,
  createViewer,
  definition,
  measure,
} from '../../../test/support/flat-stage.ts';
import { Engine } from './engine/engine.ts';

const { platform, write, compute, tilesOf, total } = createFlatStage();

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

  it('a role by e-mail sees no rows of a column that has no text', async () => {
    write('orders.csv', orders);
    for (const column of ['Sales', 'Ordered']) {
      const visibleRows = [{ column, equalsViewerEmail: true } as const];
      expect(await compute('orders.csv', { visibleRows })).toMatchObject({ rowCount: 0 });
    }
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
      { id: 'broken', title: 'Total', failure: { code: 'failed' } },
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
