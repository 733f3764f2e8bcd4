import type { DataChange } from '@portal-embed/contract';
import type { Dataset } from '@portal-embed/report-model';

import { ReportError } from '#platform';
import {
  FileError,
  summarizeVersions,
  type DataSummary,
  type FileColumn,
  type OrganizationFiles,
  type RepeatedKey,
  type StoredSource,
} from '#report-engine';

import type { StoredItem } from '../plan.ts';

/** A dataset whose data change. */
export interface ComparedDataset {
  stored: StoredItem;
  definition: Dataset;
  /** The source as it will be. */
  source: StoredSource;
  /** Fields by which roles look up values. */
  keys: readonly string[];
}

interface Place {
  files: OrganizationFiles;
  organizationId: string;
  signal?: AbortSignal | undefined;
}

/**
 * Compares the data of a dataset before and after a change: columns, rows, totals and time span.
 *
 * @returns also the look-up keys that several rows have after the change, but not before
 * @throws `ReportError` if the new files cannot be read
 */
export async function compareDataset(
  place: Place,
  { stored, definition, source, keys }: ComparedDataset,
): Promise<{ change: DataChange; repeated: RepeatedKey[] }> {
  const [before, after] = [stored.columns ?? [], source.columns];
  const isSame = JSON.stringify(stored.files) === JSON.stringify(source.files);
  const summarize = (files: readonly string[], columns: readonly FileColumn[]) =>
    summarizeVersions(
      place,
      files,
      { columns, time: timeOf(definition, columns), keys: keys.filter(isIn(columns)) },
      place.signal,
    );
  const old = await summarize(stored.files ?? [], before).catch(ignoreUnreadable);
  const next = isSame && old ? old : await summarize(source.files, after);
  const time = timeOf(definition, after) ?? timeOf(definition, before);
  const known = new Set(old?.repeated.map(({ column }) => column));
  return {
    change: {
      id: stored.id,
      slug: stored.slug!,
      name: definition.name,
      change: isSame ? 'unchanged' : 'update',
      rows: { before: old?.rows ?? null, after: next.rows },
      columns: compareColumns(before, after),
      totals: compareTotals(old, next),
      time:
        time === undefined
          ? null
          : { field: time, before: old?.span ?? null, after: next.span ?? null },
    },
    repeated: old ? next.repeated.filter(({ column }) => !known.has(column)) : [],
  };
}

/** Old versions can be missing on this instance. Their numbers are unknown then. */
function ignoreUnreadable(error: unknown): undefined {
  if (error instanceof FileError || (error instanceof ReportError && error.reason !== 'overloaded'))
    return undefined;
  throw error;
}

const isIn = (columns: readonly FileColumn[]) => (wanted: string) =>
  columns.some(({ name }) => name === wanted);

/** The time of a dataset, if it is a column and not an expression. */
function timeOf({ time, fields }: Dataset, columns: readonly FileColumn[]): string | undefined {
  const isComputed = fields.some(({ name, expression }) => name === time && expression);
  const type = columns.find(({ name }) => name === time)?.type;
  return !isComputed && (type === 'date' || type === 'datetime') ? time : undefined;
}

const present = ({ name, type }: FileColumn) => ({ name, type });

function compareColumns(
  before: readonly FileColumn[],
  after: readonly FileColumn[],
): DataChange['columns'] {
  const types = new Map(before.map(({ name, type }) => [name, type]));
  return {
    added: after.filter(({ name }) => !types.has(name)).map(present),
    removed: before.filter(({ name }) => !isIn(after)(name)).map(present),
    changed: after.flatMap(({ name, type }) => {
      const old = types.get(name);
      return old === undefined || old === type ? [] : [{ name, before: old, after: type }];
    }),
  };
}

function compareTotals(before: DataSummary | undefined, after: DataSummary): DataChange['totals'] {
  const names = new Set([...Object.keys(after.totals), ...Object.keys(before?.totals ?? {})]);
  return [...names].map((name) => ({
    name,
    before: before?.totals[name] ?? null,
    after: after.totals[name] ?? null,
  }));
}
