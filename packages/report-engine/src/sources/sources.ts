import {
  listConditionFields,
  resolveDataset,
  type Dataset,
  type DraftDataset,
  type Report,
} from '@portal-embed/report-model';

import {
  storeSource,
  type DataPlace,
  type KeptColumns,
  type StoredSource,
} from '../data-files/data-files.ts';
import { checkVersions } from '../data-files/versions.ts';
import type { FileColumn } from '../files/tasks.ts';
import {
  describeSource,
  inspectSource,
  type OrganizationConnections,
} from './connection-sources.ts';

/** A dataset as its author writes it. */
export interface DatasetFile {
  /** Path of the content file, which begins each hint. */
  file: string;
  slug: string;
  definition: Dataset;
  /** Columns that keep their types. Default: none. */
  kept?: KeptColumns | undefined;
}

export interface SourceOptions {
  place: DataPlace;
  /** Default: datasets over connections are not checked. */
  connections?: OrganizationConnections | undefined;
  /** Whether to say how connections and their tables are. */
  inspect?: boolean | undefined;
  signal?: AbortSignal | undefined;
}

/**
 * Stores the files of a dataset, or describes its table. `undefined`: its connection is not checked.
 *
 * @param reports the reports of the same content
 * @throws `DataFileError`; `ConnectionSourceError`
 */
export async function storeSourceOf(
  item: DatasetFile,
  reports: readonly Report[],
  { place, connections, inspect, signal }: SourceOptions,
): Promise<StoredSource | undefined> {
  const { source, fields } = item.definition;
  if (!('connection' in source)) {
    const stored = await storeSource(place, { source, fields }, { kept: item.kept, signal });
    if (!mayHaveUnreadable(item, stored.columns)) return stored;
    const found = await checkVersions(place, stored.files, item.definition, signal);
    return {
      ...stored,
      hints: [...stored.hints, ...found.map((text) => `${item.file}: ${text}`)],
    };
  }
  if (!connections) return undefined;
  const columns = await describeSource(connections, source);
  const findings = inspect
    ? await inspectSource(
        connections,
        { source, dataset: draftOf(item, columns) },
        listConditionColumns(item, reports, columns),
      )
    : [];
  const hints = findings.map(
    ({ level, text }) => `${item.file}: ${level === 'ok' ? '' : `${level}: `}${text}`,
  );
  return { files: [], columns, hints, copies: new Map() };
}

/** Whether a field declares a type for texts. A CSV column with a declared type has no other values. */
const mayHaveUnreadable = ({ definition }: DatasetFile, columns: readonly FileColumn[]): boolean =>
  definition.fields.some(
    ({ name, type, expression }) =>
      type !== undefined &&
      type !== 'text' &&
      (expression !== undefined ||
        columns.some((column) => column.name === name && column.type === 'text')),
  );

const draftOf = ({ definition }: DatasetFile, columns: readonly FileColumn[]): DraftDataset =>
  resolveDataset(definition, new Map(columns.map(({ name, type }) => [name, type]))).draft;

/** The columns that roles, filters and the time of a dataset compare. */
function listConditionColumns(
  { slug, definition }: DatasetFile,
  reports: readonly Report[],
  columns: readonly { name: string }[],
): string[] {
  const filters = reports.flatMap((report) =>
    report.dataset === slug ? report.filters.map(({ field }) => field) : [],
  );
  const computed = new Set(
    definition.fields.flatMap(({ name, expression }) => (expression ? [name] : [])),
  );
  const wanted = new Set([
    ...listConditionFields(definition.roles),
    ...filters,
    ...(definition.time === undefined ? [] : [definition.time]),
  ]);
  return columns.map(({ name }) => name).filter((name) => wanted.has(name) && !computed.has(name));
}
