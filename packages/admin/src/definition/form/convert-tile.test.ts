// oxlint-disable-next-line no-restricted-imports -- The schema that the service checks.
import { tileSchema } from '@portal-embed/report-model';
import { describe, expect, it } from 'vitest';

import type { DefinitionNames } from '../../requests/definitions.ts';
import type { Tile } from '../document/read-document.ts';
import { convertTile, diffTiles } from './convert-tile.ts';
import { tileTypes } from './properties.ts';

const names: DefinitionNames = {
  fields: ['Region', 'Ordered', 'Owner', 'Price'],
  types: ['text', 'date', 'text', 'decimal'],
  metrics: ['Sales', 'Profit', 'Count'],
  datasets: [],
  hasTime: true,
};
const convert = (tile: Tile, type: string, of = names) => convertTile(tile, type, of, 'Text');

function convertTo(tile: Tile, type: string): Tile {
  const converted = convert(tile, type);
  if ('need' in converted) throw new Error(`${type} needs ${converted.need}.`);
  return converted.tile;
}

describe('a tile of another type', () => {
  it.each(tileTypes)('%s is valid when it is new, and from each other type', (type) => {
    for (const from of [undefined, ...tileTypes]) {
      const before = from === undefined ? {} : convertTo({}, from);
      const { error } = tileSchema.safeParse(convertTo(before, type));
      expect([from, error]).toEqual([from, undefined]);
    }
  });

  it('the chosen metrics and fields move to the properties of the new type', () => {
    const table = { type: 'table', dimensions: ['Owner', 'Region'], metrics: ['Profit'] };
    expect(convert(table, 'column')).toEqual({
      tile: { type: 'column', x: 'Owner', y: 'Profit', color: 'Region' },
      added: [],
    });
    expect(convert(table, 'pivot')).toMatchObject({
      tile: { rows: ['Owner'], columns: ['Region'], metrics: ['Profit'] },
    });
    expect(convert({ ...table, metrics: ['Profit', 'Sales'] }, 'bar')).toMatchObject({
      tile: { x: 'Owner', y: ['Profit', 'Sales'] },
    });
  });

  it('what is missing is added from the dataset, and named', () => {
    const kpi = { type: 'kpi', metric: 'Profit', title: 'P', compare: 'previous year', width: 3 };
    expect(convert(kpi, 'scatter')).toEqual({
      tile: { type: 'scatter', point: 'Region', x: 'Profit', y: 'Sales', title: 'P', width: 3 },
      added: ['Sales', 'Region'],
    });
    expect(convert(kpi, 'line')).toMatchObject({
      tile: { x: 'Ordered by month', y: 'Profit' },
      added: ['Ordered by month'],
    });
  });

  it('a field whose name is that of a key is added only if no text and no period is left', () => {
    const keys = ['Liefernummer', 'order_id', 'CustomerID', 'Ticket No.', 'Postcode'];
    const fields = [...keys, 'Casino', 'Ordered'];
    const types = fields.map((name) =>
      name === 'Ordered' ? ('date' as const) : ('text' as const),
    );
    expect(convert({}, 'pivot', { ...names, fields, types })).toMatchObject({
      tile: { rows: ['Casino'], columns: ['Ordered by month'] },
    });
    const only = { ...names, fields: keys, types: keys.map(() => 'text' as const) };
    expect(convert({}, 'donut', only)).toMatchObject({ tile: { color: 'Liefernummer' } });
  });

  it('a type that the dataset cannot fill says what it needs', () => {
    const few = { ...names, fields: ['Region'], types: ['text' as const], metrics: ['Sales'] };
    const needs = tileTypes.map((type) => {
      const converted = convert({}, type, few);
      return 'need' in converted ? `${type}: ${converted.need}` : '';
    });
    expect(needs.filter(Boolean)).toEqual([
      'line: axis',
      'area: axis',
      'scatter: metrics',
      'pivot: fields',
    ]);
    const empty = { ...few, fields: [], types: [], metrics: [] };
    expect(convert({}, 'kpi', empty)).toEqual({ need: 'metric' });
    expect(convert({}, 'table', empty)).toEqual({ need: 'field' });
    expect(convert({}, 'donut', { ...empty, metrics: ['Sales'] })).toEqual({ need: 'field' });
  });

  it('properties that do not fit the new type are removed in the same step', () => {
    const area = { type: 'area', x: 'Ordered', y: 'Sales', stack: 'percent', limit: 100 };
    const donut = convert({ ...area, color: 'Region' }, 'donut');
    expect('tile' in donut && diffTiles(area, donut.tile)).toEqual({
      type: 'donut',
      x: undefined,
      y: undefined,
      stack: undefined,
      limit: undefined,
      metric: 'Sales',
      color: 'Ordered',
    });
  });
});
