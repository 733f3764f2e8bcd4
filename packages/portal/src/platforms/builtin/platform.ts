import type { SeriesTile, Tile } from '#wire/viewer.ts';

import type { ComputedReport, ReportPlatform, ReportRequest } from '../platform.ts';
import { reportDefinitionSchema, type Dimension, type TileDefinition } from './definition.ts';
import { DatasetReader, type Cell, type Row } from './duckdb.ts';
import {
  compileFilters,
  compilePredicate,
  dimensionExpression,
  intersect,
  measureExpression,
  type Columns,
  type Fragment,
} from './query.ts';

/** Groups of one tile; what a chart cannot show is not sent. */
const maxPoints = 2_000;

/** Reports as declarative JSON over Parquet and CSV files in `folder`, computed by DuckDB. */
export function builtinPlatform(folder: string): ReportPlatform {
  const reader = new DatasetReader(folder);
  return {
    compute: (request) => compute(reader, request),
    close: () => reader.close(),
  };
}

async function compute(reader: DatasetReader, request: ReportRequest): Promise<ComputedReport> {
  const definition = reportDefinitionSchema.parse(request.definition);
  const { organizationId, signal } = request;
  const { table, columns } = await reader.open(organizationId, request.dataset.file);
  const filters = compileFilters({ name: request.dataset.name, columns }, request.filters);
  const rows = intersect(
    compilePredicate(columns, request.visibleRows, request.viewerEmail),
    filters.fragment,
  );
  const source: Source = { reader, organizationId, table, columns, rows, signal };
  const [counted, ...tiles] = await Promise.all([
    select(source, 'count(*) AS n'),
    ...definition.tiles.map((tile) => computeTile(source, tile)),
  ]);
  return { unappliedFilters: filters.unapplied, rowCount: Number(counted[0]?.['n']), tiles };
}

/** What every tile of a report is computed from: the same rows of the same file. */
interface Source {
  reader: DatasetReader;
  organizationId: string;
  table: string;
  columns: Columns;
  rows: Fragment;
  signal: AbortSignal;
}

const select = (
  { reader, organizationId, table, rows, signal }: Source,
  expressions: string,
  rest = '',
): Promise<Row[]> =>
  reader.query(
    organizationId,
    { text: `SELECT ${expressions} FROM ${table} WHERE ${rows.text} ${rest}`, values: rows.values },
    signal,
  );

async function computeTile(source: Source, tile: TileDefinition): Promise<Tile> {
  const { id, title } = tile;
  const { label, format } = tile.measure;
  const y = measureExpression(source.columns, tile.measure);
  if (tile.mark === 'kpi') {
    const rows = await select(source, `${y} AS y`);
    return { id, title, mark: 'kpi', format, value: toNumber(rows[0]?.['y']) };
  }
  const x = dimensionExpression(source.columns, tile.dimension);
  const kind = dimensionKind(source.columns, tile.dimension);
  const order = kind === 'category' ? '2 DESC, 1' : '1';
  const rows = await select(
    source,
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

function dimensionKind(
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
