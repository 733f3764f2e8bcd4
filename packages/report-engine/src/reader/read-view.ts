import {
  isCyclic,
  parseFilterValue,
  type CyclicGrain,
  type Key,
  type ResolvedDataset,
  type ResolvedDimension,
  type ResolvedField,
  type ResolvedReport,
  type ResolvedTile,
  type ReaderFilter,
  type ReaderView,
  type PivotSort,
  type TileDrill,
  type TileSearch,
  type TileSort,
} from '@portal-embed/report-model';

import { ReaderViewError } from '#platform';

import { resolvePeriods } from '../plan/compare.ts';
import type { FieldFilter } from '../plan/filters.ts';
import { addPeriods, startOfPeriod, type Period } from '../plan/periods.ts';
import { findPeriod, listPlaces } from '../tiles/context.ts';
import { listDimensions, listLevels } from './levels.ts';

/** A filter of the reader, with its periods resolved. */
export interface ReaderFieldFilter extends FieldFilter {
  /** The filter does not apply to this tile. */
  tile?: string | undefined;
  /** Whether the filter also applies to other pages than that of its tile. */
  allPages?: boolean | undefined;
}

export interface ReadDrill {
  path: { dimension: ResolvedDimension; key: Key; filter: FieldFilter }[];
  level: ResolvedDimension;
  /** The level below, if there is one. */
  next: ResolvedDimension | undefined;
}

/** A view that fits its report. */
export interface ReadView {
  filters: ReaderFieldFilter[];
  sorts: ReadonlyMap<string, PivotSort>;
  searches: ReadonlyMap<string, string>;
  drills: ReadonlyMap<string, ReadDrill>;
}

/**
 * Checks what a reader has chosen. A number that is filtered by a field that the report does not show
 * could reveal one person, so such fields are refused like unknown ones.
 *
 * @throws `ReaderViewError`
 */
export function readView(
  dataset: ResolvedDataset,
  report: ResolvedReport,
  { filters, sorts, drills, searches = [] }: ReaderView,
  dataAsOf: string | undefined,
): ReadView {
  const shown = listShownFields(dataset, report);
  const tiles = new Map(listTiles(report).map((tile) => [tile.id, tile]));
  const requireTile = (id: string) => tiles.get(id) ?? refuse(`The report has no tile "${id}".`);
  const requireField = (name: string) =>
    (shown.has(name) && dataset.fields.get(name)) ||
    refuse(`The report does not show a field "${name}".`);
  const fields = filters.filter(({ tile }) => tile === undefined).map(({ field }) => field);
  const repeated = fields.find((field, index) => fields.indexOf(field) < index);
  if (repeated !== undefined) refuse(`The field "${repeated}" has two filters.`);
  return {
    filters: filters.map((filter) => {
      const { tile, mark, allPages } = filter;
      if (tile !== undefined) requireTile(tile);
      else if (mark !== undefined) refuse('A mark needs its tile.');
      const read = readFilter(requireField(filter.field), filter, dataAsOf);
      return {
        ...read,
        tile,
        allPages,
        ...(tile !== undefined && mark !== undefined && { mark: { tile, index: mark } }),
      };
    }),
    sorts: new Map(sorts.map((sort) => [sort.tile, readSort(requireTile(sort.tile), sort)])),
    searches: new Map(
      searches.map((search) => [search.tile, readSearch(requireTile(search.tile), search)]),
    ),
    drills: new Map(
      drills.map((drill) => [drill.tile, readDrill(dataset, requireTile(drill.tile), drill)]),
    ),
  };
}

const refuse = (problem: string): never => {
  throw new ReaderViewError(problem);
};

const listTiles = ({ pages }: ResolvedReport): ResolvedTile[] =>
  pages.flatMap(({ rows }) => rows.flatMap(({ tiles }) => tiles));

/** Names of the fields that the report shows, also below the first level of a chart. */
function listShownFields(dataset: ResolvedDataset, report: ResolvedReport): ReadonlySet<string> {
  const tiles = listTiles(report);
  const dimensions = [
    ...tiles.flatMap(listDimensions),
    ...tiles.flatMap((tile) => listLevels(dataset, tile)),
  ];
  return new Set([...report.filters, ...dimensions].map(({ field }) => field));
}

function readFilter(
  field: ResolvedField,
  { values, grain }: Pick<ReaderFilter, 'values' | 'grain'>,
  dataAsOf: string | undefined,
): FieldFilter {
  const { name, type } = field;
  const isTime = type === 'date' || type === 'datetime';
  const hasGrain = isTime && (type === 'datetime' || !grain?.startsWith('hour'));
  if (grain && isCyclic(grain) && hasGrain) return readPlaces(field, values, grain);
  const period = grain && hasGrain ? findPeriod({ name, field: name, type, grain }) : undefined;
  if (grain && !period) refuse(`The field "${name}" cannot be filtered by ${grain}.`);
  const texts = values.filter((value) => value !== null).map(String);
  return {
    field,
    values: texts.map((text) => {
      const { kind } = parseFilterValue(text, type) ?? {};
      if (!kind || (period && kind !== 'value'))
        refuse(`"${text}" is not a value of the field "${name}", which is of type ${type}.`);
      if (period) return writePeriod(text, period);
      return (
        resolvePeriods(type, text, dataAsOf) ??
        refuse(`The filter "${text}" needs a time of the data, which the dataset lacks.`)
      );
    }),
    hasBlank: values.includes(null),
  };
}

/** Reads positions in a longer period, such as 1 for January. */
function readPlaces(field: ResolvedField, values: readonly Key[], grain: CyclicGrain): FieldFilter {
  const places = new Set(listPlaces(grain).map(String));
  const texts = values.filter((value) => value !== null).map(String);
  const unknown = texts.find((text) => !places.has(text));
  if (unknown !== undefined) refuse(`"${unknown}" is not a ${grain}.`);
  return { field, values: texts, hasBlank: values.includes(null), grain };
}

/** The range of the period that contains a time. It includes both ends. */
function writePeriod(time: string, period: Period): string {
  const start = startOfPeriod(time, period);
  const end = addPeriods(start, period, 1);
  // The year 10,000 begins with a sign.
  if (end.startsWith('+')) return `${start}..`;
  return period === 'hour'
    ? `${start}..${start.slice(0, 13)}:59:59.999999`
    : `${start}..${addPeriods(end, 'day', -1)}`;
}

function readSort(tile: ResolvedTile, { column, descending, keys = [] }: TileSort): PivotSort {
  if (tile.type !== 'table' && tile.type !== 'pivot')
    return refuse(`The tile "${tile.title}" is not a table.`);
  const dimensions = tile.type === 'table' ? tile.dimensions : tile.rows;
  if (column >= dimensions.length + tile.metrics.length)
    refuse(`The table "${tile.title}" has no column ${column}.`);
  if (keys.length > (tile.type === 'pivot' ? tile.columns.length : 0))
    refuse(`The table "${tile.title}" has no column with ${keys.length} keys.`);
  return { column, descending, ...(keys.length > 0 ? { keys } : {}) };
}

/** A text that the rows of a table contain. */
function readSearch(tile: ResolvedTile, { text }: TileSearch): string {
  if (tile.type !== 'table') return refuse(`The tile "${tile.title}" is not a table.`);
  return text;
}

function readDrill(dataset: ResolvedDataset, tile: ResolvedTile, { path }: TileDrill): ReadDrill {
  const levels = listLevels(dataset, tile);
  const level =
    levels[path.length] ?? refuse(`The tile "${tile.title}" has no level ${path.length + 1}.`);
  return {
    level,
    next: levels[path.length + 1],
    path: path.map((key, index) => {
      const dimension = levels[index]!;
      const { grain } = dimension;
      const field =
        dataset.fields.get(dimension.field) ??
        refuse(`The dataset has no field "${dimension.field}".`);
      return { dimension, key, filter: readFilter(field, { values: [key], grain }, undefined) };
    }),
  };
}
