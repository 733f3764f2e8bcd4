import {
  flatReportSchema,
  type FieldType,
  type FlatDimension,
  type FlatFormat,
  type FlatMeasure,
  type FlatPredicate,
  type FlatReport,
  type FlatTile,
  type FormatOptions,
  type Grain,
  type NumericType,
  type ResolvedDataset,
  type ResolvedDimension,
  type ResolvedField,
  type ResolvedTile,
  type TypedExpression,
} from '@portal-embed/report-model';

import type { Viewer } from '../../platform.ts';
import { UnknownColumnError } from '../emit/query.ts';
import { anyOf, everyOf, isIn } from '../plan/compare.ts';
import type { Condition } from '../plan/plan.ts';
import { matchesAttribute } from '../plan/roles.ts';

/** A dataset without a content file: its fields are the file's columns. */
export function convertDataset(
  name: string,
  columns: ReadonlyMap<string, FieldType>,
): ResolvedDataset {
  const fields = [...columns].map(([column, type]): ResolvedField => ({
    name: column,
    type,
    expression: { kind: 'column', name: column, type },
  }));
  return {
    name,
    timeZone: 'UTC',
    rowAccess: 'everyone',
    fields: new Map(fields.map((field) => [field.name, field])),
    metrics: new Map(),
    hierarchies: [],
    roles: [],
  };
}

const decimal = { style: 'decimal', notation: 'standard' } as const;

const formats: Record<FlatFormat, FormatOptions> = {
  integer: { ...decimal, maximumFractionDigits: 0 },
  decimal: { ...decimal, minimumFractionDigits: 1, maximumFractionDigits: 1 },
  dollars: {
    style: 'currency',
    currency: 'USD',
    notation: 'standard',
    maximumFractionDigits: 0,
  },
};

const grains: Record<FlatDimension['by'], Grain | undefined> = {
  value: undefined,
  year: 'year',
  month: 'month',
  day: 'day',
  'hour-of-day': 'hour of day',
};

/** Maximum number of groups of a flat chart. */
const maxGroups = 2_000;

/** A tile, with a dataset that has the tile's measure as a metric. */
export interface ConvertedTile {
  tile: ResolvedTile;
  /** @throws `UnknownColumnError` */
  dataset: () => ResolvedDataset;
}

/** Converts a report to one page. A row has up to four KPIs or two charts. */
export function convertReport(report: FlatReport, dataset: ResolvedDataset) {
  const rows: FlatTile[][] = [];
  for (const tile of flatReportSchema.parse(report).tiles) {
    const row = rows.at(-1);
    const isKpi = tile.mark === 'kpi';
    const fits = row && (row[0]?.mark === 'kpi') === isKpi && row.length < (isKpi ? 4 : 2);
    if (fits) row.push(tile);
    else rows.push([tile]);
  }
  return {
    name: '',
    rows: rows.map((row) =>
      row.map((tile): ConvertedTile => ({
        tile: convertTile(tile, dataset, 12 / row.length),
        dataset: () => withMeasure(dataset, tile.measure),
      })),
    ),
  };
}

function convertTile(tile: FlatTile, dataset: ResolvedDataset, width: number): ResolvedTile {
  const { id, title, measure } = tile;
  if (tile.mark === 'kpi') return { type: 'kpi', id, title, width, metric: measure.label };
  const x = convertDimension(tile.dimension, dataset);
  const chart = { id, title, width, x, y: [measure.label], limit: maxGroups };
  return tile.mark === 'line'
    ? { type: 'line', ...chart }
    : { type: 'bar', ...chart, stack: 'stacked' };
}

function convertDimension(
  { label, column, by }: FlatDimension,
  { fields }: ResolvedDataset,
): ResolvedDimension {
  const grain = grains[by];
  return {
    name: label,
    field: column,
    type: fields.get(column)?.type ?? 'text',
    ...(grain ? { grain } : {}),
  };
}

function withMeasure(dataset: ResolvedDataset, measure: FlatMeasure): ResolvedDataset {
  const { label, format } = measure;
  const expression = convertMeasure(dataset, measure);
  const type = expression.type as NumericType;
  const metric = { name: label, type, format: formats[format], expression };
  return { ...dataset, metrics: new Map([[label, metric]]) };
}

function convertMeasure(
  { fields }: ResolvedDataset,
  { aggregate, column = '' }: FlatMeasure,
): TypedExpression {
  if (aggregate === 'count')
    return { kind: 'call', function: 'count', type: 'integer', arguments: [] };
  const field = fields.get(column);
  if (!field) throw new UnknownColumnError(`The dataset has no column "${column}".`);
  if (!['integer', 'decimal', 'number'].includes(field.type))
    throw new TypeError(`The column "${column}" does not contain numbers.`);
  const isMean = aggregate === 'mean';
  return {
    kind: 'call',
    function: isMean ? 'avg' : aggregate,
    type: isMean ? 'number' : field.type,
    arguments: [field.expression],
  };
}

/** Returns the rows that a role without a content file allows. */
export function convertPredicate(
  { fields }: Pick<ResolvedDataset, 'fields'>,
  predicate: FlatPredicate,
  viewer: Viewer,
): Condition {
  const convert = (part: FlatPredicate) => convertPredicate({ fields }, part, viewer);
  if ('all' in predicate) return everyOf(predicate.all.map(convert));
  if ('any' in predicate) return anyOf(predicate.any.map(convert));
  const field = fields.get(predicate.column);
  if (!field) throw new UnknownColumnError(`The dataset has no column "${predicate.column}".`);
  if ('in' in predicate) return isIn(field, predicate.in);
  const operand: TypedExpression = { kind: 'cast', type: 'text', operand: field.expression };
  const text = field.type === 'text' ? field.expression : operand;
  return matchesAttribute(viewer, 'email', { type: 'text', expression: text });
}
