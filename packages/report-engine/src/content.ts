import { createHash } from 'node:crypto';

import {
  datasetSchema,
  isNumeric,
  reportSchema,
  resolveInSteps,
  resolveReport,
  type Dataset,
  type DatasetSource,
  type FieldType,
  type Issue,
  type ResolvedDataset,
  type ResolvedReport,
} from '@portal-embed/report-model';
import { LRUCache } from 'lru-cache';

import type { StoredDataset } from '#platform';

import type { FileColumn } from './files/tasks.ts';

/** What the catalogue keeps of a dataset of this platform. */
export interface DatasetContent {
  /** The parsed content file. */
  definition: object;
  /** Paths below the folder of the organization. Empty for rows in another database. */
  files: readonly string[];
  /** Columns of the source when the content was applied. */
  columns: readonly FileColumn[];
}

const contentOf = ({ source }: StoredDataset) => source as DatasetContent;

/** Reads where the rows of a stored dataset are. */
export const readSource = (dataset: StoredDataset): DatasetSource =>
  datasetSchema.shape.source.parse((contentOf(dataset).definition as Partial<Dataset>).source);

/** The stored files of a dataset. */
export const filesOf = (dataset: StoredDataset): readonly string[] => contentOf(dataset).files;

/** What has been resolved, by all that it depends on, up to a number of characters of definitions. */
const datasets = new LRUCache<string, ResolvedDataset>({ maxSize: 4_000_000 });
const reports = new WeakMap<ResolvedDataset, LRUCache<string, ResolvedReport>>();

/** Reports over one dataset that are kept. */
const maxReports = 20;

/** Fields and metrics that are resolved at once. */
const namesAtOnce = 10;

/** Gives fields without a format the one that their column shows, such as percent. */
function addFormats({ definition, columns }: DatasetContent): object {
  const formats = new Map(columns.flatMap(({ name, format }) => (format ? [[name, format]] : [])));
  if (formats.size === 0) return definition;
  const { fields = [] } = definition as Partial<Dataset>;
  const known = new Set(fields.map(({ name }) => name));
  return {
    ...definition,
    fields: [
      ...fields.flatMap((field) => {
        const { name, expression, type = 'number', format = formats.get(name) } = field;
        const isNumber = expression === undefined && isNumeric(type);
        return format && isNumber ? [{ ...field, format }] : [field];
      }),
      ...[...formats].flatMap(([name, format]) => (known.has(name) ? [] : [{ name, format }])),
    ],
  };
}

const hashOf = (text: string) => createHash('sha256').update(text).digest('base64');

/**
 * Resolves a stored dataset against the columns of its source.
 *
 * @param pause runs between parts of the work: resolving the largest dataset takes 0.3 s
 * @param orders the values of columns whose type orders them. Default: none
 */
export async function readDataset(
  dataset: StoredDataset,
  columns: ReadonlyMap<string, FieldType>,
  pause: () => Promise<void>,
  orders?: ReadonlyMap<string, readonly string[]>,
): Promise<ResolvedDataset> {
  const definition = { timeZone: dataset.timeZone, ...addFormats(contentOf(dataset)) };
  const text = JSON.stringify([definition, [...columns], [...(orders ?? [])]]);
  const key = hashOf(text);
  const known = datasets.get(key);
  if (known) return known;
  const steps = resolveInSteps(datasetSchema.parse(definition), columns, [], orders);
  let step = steps.next();
  for (let count = 1; !step.done; count += 1) {
    if (count % namesAtOnce === 0) await pause();
    step = steps.next();
  }
  const { dataset: resolved, issues } = step.value;
  if (!resolved) throw new ContentError(`dataset "${dataset.name}"`, issues);
  datasets.set(key, resolved, { size: text.length });
  return resolved;
}

/** Resolves a stored report against its dataset. */
export function readStoredReport(definition: unknown, dataset: ResolvedDataset): ResolvedReport {
  const ofDataset =
    reports.get(dataset) ?? new LRUCache<string, ResolvedReport>({ max: maxReports });
  reports.set(dataset, ofDataset);
  const key = hashOf(JSON.stringify(definition));
  const known = ofDataset.get(key);
  if (known) return known;
  const { report, issues } = resolveReport(reportSchema.parse(definition), dataset);
  if (!report) throw new ContentError('report', issues);
  ofDataset.set(key, report);
  return report;
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
