import {
  listConditionFields,
  resolveDataset,
  type Dataset,
  type DraftDataset,
  type Report,
} from '@portal-embed/report-model';
import { LRUCache } from 'lru-cache';

import type { DatasetContent } from '../content.ts';
import {
  storeSource,
  type DataPlace,
  type KeptColumns,
  type StoredSource,
} from '../data-files/data-files.ts';
import { checkVersions, findVersionKeys, type VersionPlace } from '../data-files/versions.ts';
import { FileError } from '../files/data-file.ts';
import type { FileColumn } from '../files/tasks.ts';
import type { LookUpKey, ReaderTexts } from '../look-up-keys.ts';
import { DataFileError } from '../storage/data-file-error.ts';
import {
  ConnectionSourceError,
  describeSource,
  findSourceKeys,
  findSourceTexts,
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
    if (!mayHaveUnreadable(item.definition, stored.columns)) return stored;
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

/**
 * Returns for each key of a dataset whether a row has a value of a user; `undefined` if its rows cannot be
 * read now.
 *
 * @param files the stored versions of its files
 */
export async function findKeysOf(
  { definition, files }: { definition: Dataset; files: readonly string[] },
  wanted: { keys: readonly LookUpKey[]; texts: ReaderTexts },
  { place, connections, signal }: SourceOptions,
): Promise<boolean[] | undefined> {
  const { source } = definition;
  try {
    if (!('connection' in source))
      return await findVersionKeys(place, files, { definition, ...wanted }, signal);
    return connections && (await findSourceKeys(connections, source, { definition, ...wanted }));
  } catch (error) {
    if (error instanceof ConnectionSourceError || error instanceof FileError) return undefined;
    throw error;
  }
}

const readsTexts = ({ expression = '' }: { expression?: string | undefined }): boolean =>
  /\bto_(date|number)\b/i.test(expression);

/** Whether texts are read as another type. A CSV column with a declared type has no other values. */
const mayHaveUnreadable = (definition: Dataset, columns: readonly FileColumn[]): boolean =>
  [...definition.fields, ...definition.metrics].some(readsTexts) ||
  definition.fields.some(
    ({ name, type, expression }) =>
      type !== undefined &&
      type !== 'text' &&
      (expression !== undefined ||
        columns.some((column) => column.name === name && column.type === 'text')),
  );

/** What was found in files, which never change, by dataset. */
const foundInFiles = new LRUCache<string, string[]>({ max: 200 });

/**
 * Names the texts of a stored dataset that are not values of the type as which they are read.
 *
 * @param definition with its time zone
 * @returns a sentence for the author for each field that has some
 * @throws `ConnectionSourceError`; `DataFileError`; `ReportError` if the rows cannot be read in time
 */
export async function listUnreadableTexts(
  definition: Dataset,
  { files, columns }: Pick<DatasetContent, 'files' | 'columns'>,
  { place, connections }: { place: VersionPlace; connections: OrganizationConnections },
): Promise<string[]> {
  if (!mayHaveUnreadable(definition, columns)) return [];
  const { source } = definition;
  if ('connection' in source)
    return findSourceTexts(connections, { source, dataset: draftOf({ definition }, columns) });
  const key = JSON.stringify([place.organizationId, files, definition]);
  const known = foundInFiles.get(key);
  if (known) return known;
  try {
    const found = await checkVersions(place, files, definition, connections.signal);
    foundInFiles.set(key, found);
    return found;
  } catch (error) {
    throw error instanceof FileError ? new DataFileError(error.found) : error;
  }
}

const draftOf = (
  { definition }: Pick<DatasetFile, 'definition'>,
  columns: readonly FileColumn[],
): DraftDataset =>
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
