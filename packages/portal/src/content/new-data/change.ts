import type { ChangedData, DataChange } from '@portal-embed/contract';

import type { RepeatedKey, StoredSource } from '#report-engine';

import type { Action } from '../../activity-log/service.ts';
import type { Context } from '../../actor/actor.ts';
import { PortalError } from '../../errors.ts';
import { ContentError } from '../content-error.ts';
import { getFilePath, type DatasetItem } from '../items.ts';
import type { Mistake } from '../mistakes.ts';
import { applyFiles, filesOf, type ContentServices, type NewData } from '../service.ts';
import type { StoredContent } from '../store.ts';
import { compareDataset } from './compare.ts';
import { listKeys, type LookUpKey } from './look-up-keys.ts';

/** A dataset that reads a new file. */
export interface Reader {
  id: string;
  slug: string;
  /** The version of its definition and data that the author read. */
  version: number;
  /** Its definition, which may be new. */
  text: string;
}

export interface DataRequest {
  action: Action;
  /** The file that is new, by its name in the organization's folder. */
  file: string;
  /** Paths on this machine by names in the organization's folder. */
  files: ReadonlyMap<string, string>;
  readers: readonly Reader[];
  dryRun?: boolean | undefined;
  /** Whether to make changes that need a confirmation. */
  force?: boolean | undefined;
}

/** Why a change needs a confirmation. */
export interface Doubt {
  reason: 'same_file' | 'repeated_key' | 'missing_columns';
  message: string;
}

/** What a change of data files does, or would do. */
export interface DataResult extends ChangedData {
  /** Why it is not possible; only for a dry run, which names them all. */
  mistakes: readonly Mistake[];
  /** Only for a dry run. */
  doubts: Doubt[];
  /** Sources of the datasets as they will be, by slug. */
  sources: ReadonlyMap<string, StoredSource>;
}

/**
 * Brings new data files to the datasets that read them, in one transaction. Queries that run finish on
 * the old files.
 *
 * @throws `invalid_content` if a dataset or report does not fit the new data; `data_conflict` if they need
 *   a confirmation and `force` is not set; `stale_version`
 */
export async function changeFiles(
  ctx: Context,
  scope: ContentServices,
  request: DataRequest,
): Promise<DataResult> {
  const { organizationId } = ctx;
  const { file, readers, dryRun, force } = request;
  const place = { files: filesOf(ctx.db, scope).of(organizationId), organizationId };
  const keys = await listKeys(ctx.db, organizationId);
  let datasets: DataChange[] = [];
  let doubts: Doubt[] = [];
  let sources = new Map<string, StoredSource>();
  const data: NewData = {
    files: request.files,
    compare: async (read, stored) => {
      datasets = [];
      doubts = [...findRepeatedFiles(read), ...findMissingColumns(read, file)];
      sources = new Map(read.map(({ item, source }) => [item.slug, source]));
      for (const each of read) {
        const found = stored.find((item) => isStored(item, each.item));
        const known = keys.get(each.item.slug) ?? [];
        if (!found) continue;
        const { change, repeated } = await compareDataset(
          { ...place, signal: scope.signal },
          {
            stored: found,
            definition: each.item.definition,
            source: each.source,
            keys: known.map(({ key }) => key),
          },
        );
        datasets.push(change);
        doubts.push(...repeated.map((key) => describeRepeated(each.item, key, known)));
      }
    },
    confirm: () => {
      requirePossible({ mistakes: [], doubts }, force);
      return { action: request.action, subject: file, details: describeEntry(file, datasets) };
    },
  };
  const content = {
    files: Object.fromEntries(readers.map((each) => [pathOf(each), each.text])),
    dryRun,
  };
  const edits = readers.map(({ slug, id, version }) => ({
    kind: 'dataset' as const,
    slug,
    base: { id, version },
  }));
  const { mistakes, hints } = await applyFiles(ctx, scope, content, edits, data).then(
    (applied) => ({ mistakes: [], hints: applied.hints }),
    (error: unknown) => {
      if (!dryRun || !(error instanceof ContentError)) throw error;
      return { mistakes: error.mistakes, hints: [] };
    },
  );
  return { file, datasets, hints, mistakes, doubts, sources };
}

/**
 * Refuses what a dry run has found.
 *
 * @throws `invalid_content`; `data_conflict` unless `force` is set
 */
export function requirePossible(
  { mistakes, doubts }: Pick<DataResult, 'mistakes' | 'doubts'>,
  force = false,
): void {
  if (mistakes.length > 0) throw new ContentError(mistakes);
  if (doubts.length > 0 && !force) throw toConflict(doubts);
}

const pathOf = ({ slug }: Pick<Reader, 'slug'>) => getFilePath({ kind: 'dataset', slug });

const isStored = ({ kind, slug, isArchived }: StoredContent, item: DatasetItem): boolean =>
  kind === 'dataset' && slug === item.slug && !isArchived;

/** A stored version is named by the bytes of its file, so a file that is read twice is there twice. */
function findRepeatedFiles(read: readonly { item: DatasetItem; source: StoredSource }[]): Doubt[] {
  return read
    .filter(({ source: { files } }) => new Set(files).size < files.length)
    .map(({ item }) => ({
      reason: 'same_file',
      message: `${pathOf(item)} reads a file with the same bytes already, so its rows would count twice`,
    }));
}

/** A column that no file has any more is a mistake if something uses it; here, other files have it. */
function findMissingColumns(
  read: readonly { item: DatasetItem; source: StoredSource }[],
  file: string,
): Doubt[] {
  return read.flatMap(({ item, source }) => {
    const columns = source.lacking?.get(file) ?? [];
    if (columns.length === 0) return [];
    return {
      reason: 'missing_columns',
      message: `${pathOf(item)}: the new file has no column ${columns.map((each) => JSON.stringify(each)).join(', ')}, so ${columns.length === 1 ? 'it' : 'they'} would have no value in its rows`,
    };
  });
}

function describeRepeated(
  item: DatasetItem,
  { column, count, keys }: RepeatedKey,
  known: readonly LookUpKey[],
): Doubt {
  const roles = known.filter(({ key }) => key === column).map(({ role }) => role);
  const named = keys.map((key) => JSON.stringify(key)).join(', ');
  return {
    reason: 'repeated_key',
    message: `${pathOf(item)}: ${column} was unique, but now has several rows for ${named}${count > keys.length ? ` and ${count - keys.length} others` : ''}; ${roles.join(', ')} would give these readers the values of all of those rows`,
  };
}

const toConflict = (doubts: readonly Doubt[]): PortalError =>
  new PortalError(
    'data_conflict',
    `Nothing was changed: ${doubts.map(({ message }) => message).join('; ')}. To continue anyway, set force.`,
    { reason: doubts[0]!.reason },
  );

/** Numbers of rows, but no values, since the log is kept longer than the data. */
const describeEntry = (file: string, datasets: readonly DataChange[]) => ({
  file,
  datasets: datasets.map(({ id, slug, rows }) => ({
    id,
    slug,
    rowsBefore: rows.before,
    rowsAfter: rows.after,
  })),
});
