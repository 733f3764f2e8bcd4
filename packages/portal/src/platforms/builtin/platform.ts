import { setMaxListeners } from 'node:events';

import {
  reportDefinitionSchema,
  type Dimension,
  type SeriesTile,
  type Tile,
  type TileDefinition,
} from '@portal-embed/report-model';

import {
  UnappliedFiltersError,
  type ComputedReport,
  type ReportPlatform,
  type ReportRequest,
} from '../platform.ts';
import { Datasets } from './datasets.ts';
import { Engine, type EngineOptions } from './engine/engine.ts';
import type { Cell, Row } from './engine/messages.ts';
import {
  compileFilters,
  compilePredicate,
  compileDimension,
  intersect,
  compileMeasure,
  type Columns,
} from './query.ts';

/** Maximum groups of a tile, which a chart can still show. */
const maxPoints = 2_000;

export interface BuiltinOptions extends EngineOptions {
  /** Folder of the dataset files. */
  folder: string;
}

/** Creates the platform that computes reports over Parquet and CSV files with DuckDB. */
export function builtinPlatform({ folder, ...options }: BuiltinOptions): ReportPlatform {
  const engine = new Engine(options);
  const datasets = new Datasets(folder, engine);
  return {
    compute: (request) => compute(datasets, engine, request),
    usage: () => engine.usage(),
    close: () => engine.close(),
  };
}

async function compute(
  datasets: Datasets,
  engine: Engine,
  request: ReportRequest,
): Promise<ComputedReport> {
  const definition = reportDefinitionSchema.parse(request.definition);
  const failed = new AbortController();
  const signal = AbortSignal.any([request.signal, failed.signal]);
  // Each query of the report adds a listener.
  setMaxListeners(0, signal);
  try {
    const { file, columns } = await datasets.open(request, request.dataset.file, signal);
    const filters = compileFilters({ name: request.dataset.name, columns }, request.filters);
    if (request.unappliedFilters === 'refuse' && filters.unapplied.length > 0)
      throw new UnappliedFiltersError(filters.unapplied);
    const rows = intersect(
      compilePredicate(columns, request.visibleRows, request.viewerEmail),
      filters.fragment,
    );
    const run = async (text: string) => {
      const query = { dataset: file, text, values: rows.values };
      return (await engine.query(request, query, signal)).rows;
    };
    const source: Source = {
      columns,
      select: (expressions, rest = '') =>
        run(`SELECT ${expressions} FROM dataset WHERE ${rows.text} ${rest}`),
    };
    const [counted, ...tiles] = await Promise.all([
      source.select('count(*) AS n'),
      ...definition.tiles.map((tile) => computeTile(source, tile)),
    ]);
    return { unappliedFilters: filters.unapplied, rowCount: Number(counted[0]?.['n']), tiles };
  } finally {
    // After a failure, the report's other queries are not needed.
    failed.abort();
  }
}

/** The rows from which every tile of a report is computed. */
interface Source {
  columns: Columns;
  select: (expressions: string, rest?: string) => Promise<Row[]>;
}

async function computeTile(source: Source, tile: TileDefinition): Promise<Tile> {
  const { id, title } = tile;
  const { label, format } = tile.measure;
  const y = compileMeasure(source.columns, tile.measure);
  if (tile.mark === 'kpi') {
    const rows = await source.select(`${y} AS y`);
    return { id, title, mark: 'kpi', format, value: toNumber(rows[0]?.['y']) };
  }
  const x = compileDimension(source.columns, tile.dimension);
  const kind = findDimensionKind(source.columns, tile.dimension);
  const order = kind === 'category' ? '2 DESC, 1' : '1';
  const rows = await source.select(
    `${x} AS x, ${y} AS y`,
    `GROUP BY 1 ORDER BY ${order} LIMIT ${maxPoints}`,
  );
  return {
    id,
    title,
    mark: tile.mark,
    dimension: { label: tile.dimension.label, kind },
    measure: { label, format },
    points: rows.map((row) => ({
      x: kind === 'number' ? toNumber(row['x']) : toText(row['x']),
      y: toNumber(row['y']),
    })),
  };
}

function findDimensionKind(
  columns: Columns,
  { by, column }: Dimension,
): SeriesTile['dimension']['kind'] {
  if (by === 'hour-of-day') return 'number';
  if (by !== 'value') return 'time';
  const type = columns.get(column) ?? '';
  if (/^(DATE|TIMESTAMP)/.test(type)) return 'time';
  return /INT|DOUBLE|FLOAT|DECIMAL/.test(type) ? 'number' : 'category';
}

const toNumber = (value: Cell | undefined): number | null =>
  value === null || value === undefined ? null : Number(value);

const toText = (value: Cell | undefined): string | null =>
  value === null || value === undefined ? null : String(value);
