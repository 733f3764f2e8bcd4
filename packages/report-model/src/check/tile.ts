import { measure } from '../expression/measure.ts';
import type { TypedExpression } from '../expression/tree.ts';
import { splitLink } from '../files/link.ts';
import type { TileDefinition } from '../files/tiles.ts';
import type { Issue } from '../issues/issue.ts';
import { describeUnknown } from '../issues/nearest.ts';
import { resolveDimension } from './dimension.ts';
import type {
  DraftDataset,
  ResolvedDimension,
  ResolvedTableTile,
  ResolvedTile,
} from './resolved.ts';

/** A mistake of a tile, with its path in the tile. */
interface Mistake {
  path: Issue['path'];
  message: string;
}

interface Slot {
  id: string;
  width: number;
}

type Definition<Type extends TileDefinition['type']> = Extract<TileDefinition, { type: Type }>;

const needsTime = 'needs a time in the dataset; add one there, such as "time: Order Date"';

/** Collects the mistakes of one tile. A tile with mistakes has placeholders and is never computed. */
class TileChecker {
  readonly mistakes: Mistake[] = [];
  /** Nodes of the expressions that the tile computes. */
  nodes = 0;
  readonly #dataset: DraftDataset;

  constructor(dataset: DraftDataset) {
    this.#dataset = dataset;
  }

  report(path: Issue['path'], message: string): void {
    this.mistakes.push({ path, message });
  }

  dimension(text: string, path: Issue['path']): ResolvedDimension {
    const found = resolveDimension(text, this.#dataset);
    if (typeof found !== 'string') {
      this.#count(this.#dataset.fields.get(found.field));
      return found;
    }
    this.report(path, found);
    return { name: text, field: text, type: 'text' };
  }

  /** Resolves `color` and `facet` if the tile has them. */
  optional<Name extends string>(
    tile: Partial<Record<Name, string | undefined>>,
    names: readonly Name[],
  ): Partial<Record<Name, ResolvedDimension>> {
    const found: Partial<Record<Name, ResolvedDimension>> = {};
    for (const name of names) {
      const text = tile[name];
      if (text !== undefined) found[name] = this.dimension(text, [name]);
    }
    return found;
  }

  dimensions(texts: readonly string[], property: string): ResolvedDimension[] {
    this.#checkRepeated(texts, property);
    return texts.map((text, index) => this.dimension(text, [property, index]));
  }

  #count(named: { expression: TypedExpression } | undefined): void {
    if (named) this.nodes += measure(named.expression).nodes;
  }

  metric(name: string, path: Issue['path']): void {
    const { metrics, fields, broken } = this.#dataset;
    this.#count(metrics.get(name));
    if (metrics.has(name) || broken.has(name)) return;
    this.report(
      path,
      fields.has(name)
        ? `${JSON.stringify(name)} is a field; write a metric instead, or add one to the dataset`
        : describeUnknown('metric', name, metrics.keys()),
    );
  }

  /** A single name has the path of the property, whether the file has a list or not. */
  metrics(names: readonly string[], property: string): void {
    this.#checkRepeated(names, property);
    for (const [index, name] of names.entries())
      this.metric(name, names.length === 1 ? [property] : [property, index]);
  }

  #checkRepeated(names: readonly string[], property: string): void {
    for (const [index, name] of names.entries())
      if (names.indexOf(name) < index)
        this.report([property, index], `${JSON.stringify(name)} is listed twice; remove one`);
  }

  kpi({ metric, compare, sparkline, target }: Definition<'kpi'>): void {
    this.metric(metric, ['metric']);
    if (typeof target === 'string') this.metric(target, ['target']);
    if (this.#dataset.time !== undefined) return;
    if (compare) this.report(['compare'], `a comparison ${needsTime}`);
    if (sparkline) this.report(['sparkline'], `a sparkline ${needsTime}`);
  }

  chart(tile: Definition<'line' | 'area' | 'column' | 'bar'>) {
    this.metrics(tile.y, 'y');
    if (tile.color !== undefined && tile.y.length > 1)
      this.report(
        ['color'],
        'several metrics already have a color each; remove color, or keep one metric in y',
      );
    return { x: this.dimension(tile.x, ['x']), ...this.optional(tile, ['color', 'facet']) };
  }

  table(tile: Definition<'table'>): Pick<ResolvedTableTile, 'dimensions' | 'sort'> {
    if (tile.dimensions.length + tile.metrics.length === 0)
      this.report([], 'the table is empty; add dimensions or metrics');
    const dimensions = this.dimensions(tile.dimensions, 'dimensions');
    this.metrics(tile.metrics, 'metrics');
    this.conditionalFormat(tile);
    this.#checkLinks(tile);
    return { dimensions, sort: this.#sort(tile, dimensions) };
  }

  conditionalFormat({
    conditionalFormat,
    metrics,
  }: Pick<Definition<'table'>, 'conditionalFormat' | 'metrics'>): void {
    for (const name of Object.keys(conditionalFormat ?? {}))
      if (!metrics.includes(name))
        this.report(
          ['conditionalFormat', name],
          this.#dataset.metrics.has(name)
            ? `${JSON.stringify(name)} is not in the metrics of this tile; add it there, or remove it here`
            : describeUnknown('metric', name, metrics),
        );
  }

  #checkLinks({ links, dimensions }: Definition<'table'>): void {
    for (const [name, link] of Object.entries(links ?? {})) {
      const written = splitLink(link).flatMap((part) =>
        typeof part === 'string' ? [] : [part.field],
      );
      for (const used of new Set([name, ...written]))
        if (!dimensions.includes(used))
          this.report(
            ['links', name],
            typeof resolveDimension(used, this.#dataset) === 'string'
              ? describeUnknown('dimension', used, dimensions)
              : `${JSON.stringify(used)} is not in the dimensions of this table; add it there, so that each row has one value of it`,
          );
    }
  }

  pivot(tile: Definition<'pivot'>) {
    const repeated = tile.columns.findIndex((column) => tile.rows.includes(column));
    if (repeated !== -1)
      this.report(
        ['columns', repeated],
        `${JSON.stringify(tile.columns[repeated])} is in rows and in columns; remove one`,
      );
    return {
      rows: this.dimensions(tile.rows, 'rows'),
      columns: this.dimensions(tile.columns, 'columns'),
    };
  }

  /** If a metric and a dimension have the same name, `sort` means the metric. */
  #sort(tile: Definition<'table'>, [first]: ResolvedDimension[]): ResolvedTableTile['sort'] {
    const { sort, dimensions, metrics } = tile;
    const findColumn = (name: string) => {
      const metric = metrics.indexOf(name);
      return metric === -1 ? dimensions.indexOf(name) : dimensions.length + metric;
    };
    if (sort === undefined) {
      const isByMetric = metrics.length > 0 && first?.type === 'text';
      return { column: isByMetric ? dimensions.length : 0, descending: isByMetric };
    }
    const ascending = findColumn(sort);
    if (ascending !== -1) return { column: ascending, descending: false };
    const column = sort.startsWith('-') ? findColumn(sort.slice(1)) : -1;
    if (column === -1) {
      const name = sort.replace(/^-/, '');
      this.report(['sort'], describeUnknown('column', name, [...dimensions, ...metrics]));
    }
    return { column, descending: true };
  }
}

const join = (...names: (string | undefined)[]) =>
  names.filter((name) => name !== undefined).join(' · ');

/** The default title has only names. The readers' pages write it in words of the reader's language. */
function makeTitle(tile: TileDefinition): string {
  switch (tile.type) {
    case 'kpi':
      return tile.metric;
    case 'donut':
      return join(tile.metric, tile.color);
    case 'scatter':
      return join(tile.y, tile.x, tile.point, tile.color, tile.facet);
    case 'table':
      return join(...tile.metrics, ...tile.dimensions);
    case 'pivot':
      return join(...tile.metrics, ...tile.rows, ...tile.columns);
    case 'text':
      return '';
    case 'line':
    case 'area':
    case 'column':
    case 'bar':
      return join(...tile.y, tile.x, tile.color, tile.facet);
  }
}

function resolve(tile: TileDefinition, slot: Slot, checker: TileChecker): ResolvedTile {
  const shared = {
    ...slot,
    title: tile.title ?? makeTitle(tile),
    ...(tile.title === undefined && tile.type !== 'text' && { isTitleGenerated: true as const }),
  };
  switch (tile.type) {
    case 'kpi':
      checker.kpi(tile);
      return { ...tile, ...shared };
    case 'scatter': {
      const metrics = { x: tile.x, y: tile.y, ...(tile.size !== undefined && { size: tile.size }) };
      for (const [property, metric] of Object.entries(metrics)) checker.metric(metric, [property]);
      const { color: _color, facet: _facet, ...rest } = tile;
      const point = checker.dimension(tile.point, ['point']);
      return { ...rest, ...shared, point, ...checker.optional(tile, ['color', 'facet']) };
    }
    case 'donut':
      checker.metric(tile.metric, ['metric']);
      return { ...tile, ...shared, color: checker.dimension(tile.color, ['color']) };
    case 'table':
      return { ...tile, ...shared, ...checker.table(tile) };
    case 'pivot': {
      checker.metrics(tile.metrics, 'metrics');
      checker.conditionalFormat(tile);
      return { ...tile, ...shared, ...checker.pivot(tile) };
    }
    case 'text':
      return { ...tile, ...shared };
    case 'line':
    case 'area':
    case 'column':
    case 'bar': {
      const { color: _color, facet: _facet, ...rest } = tile;
      return { ...rest, ...shared, ...checker.chart(tile) };
    }
  }
}

/** Resolves the names of a tile. */
export function resolveTile(
  definition: TileDefinition,
  slot: Slot,
  dataset: DraftDataset,
): { tile: ResolvedTile; mistakes: Mistake[]; nodes: number } {
  const checker = new TileChecker(dataset);
  const tile = resolve(definition, slot, checker);
  const { mistakes, nodes } = checker;
  return { tile, mistakes, nodes };
}
