import { createHash } from 'node:crypto';

import {
  datasetSchema,
  flatReportSchema,
  reportSchema,
  resolveDataset,
  resolveReport,
  type Dataset,
  type DatasetSource,
  type FieldType,
  type Issue,
  type ResolvedDataset,
  type ResolvedFilter,
  type ResolvedTile,
} from '@portal-embed/report-model';
import { LRUCache } from 'lru-cache';

import type { StoredDataset } from '../platform.ts';
import { convertDataset, convertReport } from './flat/convert.ts';

/** A report with its tiles, whether it comes from a content file or from a program. */
export interface ReadReport {
  filters: readonly ResolvedFilter[];
  pages: readonly ReadPage[];
}

export interface ReadPage {
  name: string;
  rows: readonly (readonly ReadTile[])[];
}

export interface ReadTile {
  tile: ResolvedTile;
  /** The dataset with the tile's metrics. */
  dataset: () => ResolvedDataset;
}

/** Reads where the rows of a stored dataset are; `undefined` for its flat file. */
export const readSource = ({ definition }: StoredDataset): DatasetSource | undefined =>
  definition === null
    ? undefined
    : datasetSchema.shape.source.parse((definition as Partial<Dataset>).source);

/**
 * Resolved datasets by all that they depend on, up to a number of characters of their definitions.
 * Resolving the largest takes 0.3 s, in which the portal answers nothing else.
 */
const resolved = new LRUCache<string, ResolvedDataset>({ maxSize: 4_000_000 });

/** Resolves a stored dataset against the columns of its source. */
export function readDataset(
  { name, definition }: StoredDataset,
  columns: ReadonlyMap<string, FieldType>,
): ResolvedDataset {
  if (definition === null) return convertDataset(name, columns);
  const text = JSON.stringify([definition, [...columns]]);
  const key = createHash('sha256').update(text).digest('base64');
  const known = resolved.get(key);
  if (known) return known;
  const { dataset, issues } = resolveDataset(datasetSchema.parse(definition), columns);
  if (!dataset) throw new ContentError(`dataset "${name}"`, issues);
  resolved.set(key, dataset, { size: text.length });
  return dataset;
}

/** Resolves a stored report against its dataset. */
export function readReport(definition: unknown, dataset: ResolvedDataset): ReadReport {
  if (typeof definition === 'object' && definition !== null && 'tiles' in definition)
    return { filters: [], pages: [convertReport(flatReportSchema.parse(definition), dataset)] };
  const { report, issues } = resolveReport(reportSchema.parse(definition), dataset);
  if (!report) throw new ContentError('report', issues);
  const pages = report.pages.map(({ name, rows }) => ({
    name,
    rows: rows.map(({ tiles }) => tiles.map((tile) => ({ tile, dataset: () => dataset }))),
  }));
  return { filters: report.filters, pages };
}

/** A stored dataset or report does not fit the current columns of its source. */
export class ContentError extends Error {
  override name = 'ContentError';

  constructor(item: string, issues: readonly Issue[]) {
    super(
      `The ${item} no longer fits its data: ${issues.map(({ message }) => message).join('; ')}`,
    );
  }
}
