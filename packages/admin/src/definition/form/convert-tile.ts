import type { DefinitionNames } from '../../requests/definitions.ts';
import type { Tile } from '../document/read-document.ts';
import { listProperties, type PropertyInput } from './properties.ts';

/** What a dataset lacks for a type of tile. */
export type Need = 'metric' | 'metrics' | 'field' | 'fields' | 'axis';

/** The tile as another type, with the names that were added to it; or what it needs. */
export type Converted = { tile: Tile; added: readonly string[] } | { need: Need };

/** The metrics and fields of a tile, in the order of its properties. */
export function listChosen(tile: Tile): { metrics: string[]; fields: string[] } {
  const chosen = { metrics: new Set<string>(), fields: new Set<string>() };
  for (const { name, input } of listProperties(tile['type'])) {
    const group = groupOf(input);
    const names = [tile[name]].flat().filter((each) => typeof each === 'string');
    if (group) for (const each of names) chosen[group].add(each);
  }
  return { metrics: [...chosen.metrics], fields: [...chosen.fields] };
}

function groupOf({ kind }: PropertyInput): 'metrics' | 'fields' | undefined {
  if (kind === 'metric' || kind === 'metrics') return 'metrics';
  return kind === 'field' || kind === 'fields' ? 'fields' : undefined;
}

/** Takes names that the tile has, then others of the dataset. */
class Names {
  readonly added: string[] = [];
  readonly #rest: string[];
  readonly #others: string[];

  constructor(chosen: readonly string[], offered: readonly string[]) {
    this.#rest = [...chosen];
    this.#others = offered.filter((name) => !chosen.includes(name));
  }

  /** @returns `undefined` if the dataset has no other name */
  take(fits: (name: string) => boolean = () => true): string | undefined {
    const at = this.#rest.findIndex(fits);
    if (at !== -1) return this.#rest.splice(at, 1)[0];
    const other = this.#others.findIndex(fits);
    if (other === -1) return undefined;
    const [name] = this.#others.splice(other, 1);
    this.added.push(name!);
    return name;
  }

  /** The next name that the tile has. */
  next = (): string | undefined => this.#rest.shift();

  /** All other names that the tile has. */
  all = (most: number): string[] => this.#rest.splice(0, most);
}

/**
 * Changes the type of a tile. Its metrics and fields move to the properties of the new type.
 *
 * @param firstText the text of a new tile of text
 */
export function convertTile(
  tile: Tile,
  type: string,
  { metrics: offeredMetrics, fields: offeredFields, types }: DefinitionNames,
  firstText: string,
): Converted {
  const typeOf = (dimension: string) => {
    const field = offeredFields.includes(dimension) ? dimension : dimension.replace(/ by .*/, '');
    return types[offeredFields.indexOf(field)];
  };
  const isTime = (name: string) => ['date', 'datetime'].includes(typeOf(name) ?? '');
  const isAxis = (name: string) => isTime(name) || isNumber(typeOf(name));
  const chosen = listChosen(tile);
  const metrics = new Names(chosen.metrics, offeredMetrics);
  // Texts make better groups than numbers and keys, and periods better ones than days.
  const texts = offeredFields.filter((name) => !isAxis(name) && !isKey(name));
  const keys = offeredFields.filter((name) => !isAxis(name) && isKey(name));
  const times = offeredFields.filter(isTime).map((name) => `${name} by month`);
  const others = offeredFields.filter((name) => isAxis(name) && !isTime(name));
  const fields = new Names(chosen.fields, [...texts, ...times, ...keys, ...others]);
  const built = build(type, { metrics, fields, isAxis, text: tile['text'] ?? firstText });
  if (typeof built === 'string') return { need: built };
  const kept = keepProperties(tile, type, Object.keys(built));
  const all = { type, ...built, ...kept };
  const defined = Object.entries(all).filter(([, value]) => value !== undefined);
  return {
    tile: Object.fromEntries(defined),
    added: [...metrics.added, ...fields.added],
  };
}

/** Whether a field seems to have another value in each row, by the last word of its name. */
function isKey(name: string): boolean {
  const words = name.split(/[^\p{L}]+|(?<=\p{Ll})(?=\p{Lu})/u).filter(Boolean);
  const last = words.at(-1)?.toLowerCase() ?? '';
  return /^(?:id|no|nr|key)$|(?:number|nummer|code)$/.test(last);
}

const isNumber = (type: string | undefined) =>
  type !== undefined && ['number', 'integer', 'decimal'].includes(type);

interface Parts {
  metrics: Names;
  fields: Names;
  isAxis: (name: string) => boolean;
  text: unknown;
}

/** The metrics and fields of a type, or what is missing. */
function build(type: string, { metrics, fields, isAxis, text }: Parts): Tile | Need {
  if (type === 'text') return { text };
  if (type === 'table') {
    const columns = { dimensions: fields.all(10), metrics: metrics.all(20) };
    if (columns.dimensions.length + columns.metrics.length > 0) return columns;
    const metric = metrics.take();
    const field = fields.take();
    if (metric === undefined && field === undefined) return 'field';
    return { dimensions: list(field), metrics: list(metric) };
  }
  const metric = metrics.take();
  if (metric === undefined) return 'metric';
  if (type === 'kpi') return { metric };
  if (type === 'line' || type === 'area') {
    const x = fields.take(isAxis);
    return x === undefined ? 'axis' : { x, ...series(metric, metrics, fields) };
  }
  const field = fields.take();
  if (field === undefined) return 'field';
  if (type === 'donut') return { metric, color: field };
  if (type === 'pivot') {
    const column = fields.take();
    if (column === undefined) return 'fields';
    const rows = [field, ...fields.all(4)];
    return { rows, columns: [column], metrics: [metric, ...metrics.all(9)] };
  }
  if (type === 'scatter') {
    const y = metrics.take();
    if (y === undefined) return 'metrics';
    return { point: field, x: metric, y, size: metrics.next(), color: fields.next() };
  }
  return { x: field, ...series(metric, metrics, fields) };
}

/** Several metrics are series of their own; a single one has a series for each value of a field. */
function series(first: string, metrics: Names, fields: Names): Tile {
  const others = metrics.all(19);
  if (others.length > 0) return { y: [first, ...others] };
  return { y: first, color: fields.next(), facet: fields.next() };
}

const list = (name: string | undefined): string[] => (name === undefined ? [] : [name]);

/** Other properties that the new type also has. */
function keepProperties(tile: Tile, type: string, built: readonly string[]): Tile {
  const kept = listProperties(type).filter(({ name, input }) => {
    const value = tile[name];
    if (value === undefined || built.includes(name) || groupOf(input)) return false;
    if (input.kind === 'choice') return input.choices.some((each) => each === value);
    if (input.kind === 'number') return Number(value) <= input.max;
    // The column by which a table was sorted may be gone.
    return input.kind !== 'column' || tile['type'] === type;
  });
  return Object.fromEntries(kept.map(({ name }) => [name, tile[name]]));
}

/** The step from one tile to another: properties that are gone are `undefined`. */
export const diffTiles = (before: Tile, after: Tile): Tile => ({
  ...Object.fromEntries(
    Object.keys(before)
      .filter((name) => !(name in after))
      .map((name) => [name, undefined]),
  ),
  ...Object.fromEntries(
    Object.entries(after).filter(
      ([name, value]) => JSON.stringify(before[name]) !== JSON.stringify(value),
    ),
  ),
});
