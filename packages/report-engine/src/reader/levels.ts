import type {
  Grain,
  ResolvedDataset,
  ResolvedDimension,
  ResolvedTile,
} from '@portal-embed/report-model';

/** The next finer period. */
const finer: Partial<Record<Grain, Grain>> = {
  year: 'quarter',
  quarter: 'month',
  month: 'day',
  week: 'day',
};

/** The dimension of a chart in which a reader drills. */
function findTop(tile: ResolvedTile): ResolvedDimension | null {
  switch (tile.type) {
    case 'line':
    case 'area':
    case 'column':
    case 'bar':
      return tile.x;
    case 'donut':
      return tile.color;
    case 'kpi':
    case 'scatter':
    case 'table':
    case 'pivot':
    case 'text':
      return null;
  }
}

/**
 * The dimensions of a chart that a reader drills through: periods, or the fields of the first hierarchy
 * with the field of the chart. The first dimension is that of the report.
 */
export function listLevels(dataset: Levels, tile: ResolvedTile): ResolvedDimension[] {
  const top = findTop(tile);
  return top ? [top, ...(top.grain ? listPeriods(top) : listFieldsBelow(dataset, top))] : [];
}

type Levels = Pick<ResolvedDataset, 'fields' | 'hierarchies'>;

function listPeriods({ field, type, grain }: ResolvedDimension): ResolvedDimension[] {
  const next = grain && finer[grain];
  if (!next) return [];
  const level = { name: `${field} by ${next}`, field, type, grain: next };
  return [level, ...listPeriods(level)];
}

function listFieldsBelow({ fields, hierarchies }: Levels, { field }: ResolvedDimension) {
  const names = hierarchies.find((hierarchy) => hierarchy.fields.includes(field))?.fields ?? [];
  return names.slice(names.indexOf(field) + 1).flatMap((name): ResolvedDimension[] => {
    const below = fields.get(name);
    return below ? [{ name, field: name, type: below.type }] : [];
  });
}

/** The chart by another dimension. */
export function replaceTop(tile: ResolvedTile, level: ResolvedDimension): ResolvedTile {
  switch (tile.type) {
    case 'line':
    case 'area':
    case 'column':
    case 'bar':
      return { ...tile, x: level };
    case 'donut':
      return { ...tile, color: level };
    case 'kpi':
    case 'scatter':
    case 'table':
    case 'pivot':
    case 'text':
      return tile;
  }
}

/** All dimensions of a tile. */
export function listDimensions(tile: ResolvedTile): ResolvedDimension[] {
  switch (tile.type) {
    case 'line':
    case 'area':
    case 'column':
    case 'bar':
      return [tile.x, tile.color, tile.facet].filter((dimension) => dimension !== undefined);
    case 'scatter':
      return [tile.point, tile.color, tile.facet].filter((dimension) => dimension !== undefined);
    case 'donut':
      return [tile.color];
    case 'table':
      return tile.dimensions;
    case 'pivot':
      return [...tile.rows, ...tile.columns];
    case 'kpi':
    case 'text':
      return [];
  }
}
