import type { StoredSource, FileColumn } from '#report-engine';

import { PortalError } from '../errors.ts';
import { findIn, getFilePath, type Finding, type Item } from './items.ts';

/** An item as the portal has it. */
export interface StoredItem {
  kind: Item['kind'];
  id: string;
  name: string;
  /** `null` if the item is archived and no content file has defined it yet. */
  slug: string | null;
  /** Only if a file of the apply may define it. */
  text: string | null;
  version: number;
  isEdited: boolean;
  isArchived: boolean;
  /** Whether it was archived in the portal, so that applying its file is a conflict. */
  isArchivedInPortal: boolean;
  /** The stored versions of a dataset's files. */
  files: readonly string[] | null;
  /** Columns of a dataset's source. */
  columns: readonly FileColumn[] | null;
}

/** What an apply does to one item. */
export interface Change {
  kind: Item['kind'];
  slug: string;
  id: string;
  name: string;
  change: 'create' | 'update' | 'restore' | 'archive' | 'unchanged';
  /** Whether this change would overwrite what was edited or archived in the portal. */
  isConflict: boolean;
  /** The new item; `undefined` if it is archived. */
  item: Item | undefined;
  stored: StoredItem | undefined;
}

interface Request {
  items: readonly Item[];
  stored: readonly StoredItem[];
  /** Sources of the datasets, by slug. */
  sources: ReadonlyMap<string, Pick<StoredSource, 'files' | 'columns'>>;
  prune: boolean;
  createId: () => string;
}

/** The most datasets and reports of one organization, because each apply checks all of them. */
const maxItems = 5_000;

/**
 * Decides what an apply of these items does.
 *
 * @throws `invalid_request` if there would be too many items
 */
export function planChanges(request: Request): { changes: Change[]; findings: Finding[] } {
  const findings: Finding[] = [];
  const matched = new Set<StoredItem>();
  const index = new Index(request);
  const changes = request.items.map((item): Change => {
    const { stored, finding } = index.find(item);
    if (finding) findings.push(finding);
    if (stored) matched.add(stored);
    const { kind, slug } = item;
    const change = compare(item, stored, request.sources.get(slug));
    return {
      kind,
      slug,
      id: stored?.id ?? item.definition.id ?? request.createId(),
      name: item.definition.name,
      change,
      isConflict: stored !== undefined && isConflict(stored, item),
      item,
      stored,
    };
  });
  const archived = request.stored.filter((stored) => !stored.isArchived && !matched.has(stored));
  const count = request.items.length + (request.prune ? 0 : archived.length);
  if (count > maxItems)
    throw new PortalError(
      'invalid_request',
      `The organization would have ${count} datasets and reports in content files, but the maximum is ${maxItems}. Remove some.`,
    );
  if (request.prune)
    for (const stored of archived)
      changes.push({
        kind: stored.kind,
        slug: stored.slug!,
        id: stored.id,
        name: stored.name,
        change: 'archive',
        isConflict: stored.isEdited,
        item: undefined,
        stored,
      });
  return { changes, findings };
}

const isConflict = (stored: StoredItem, item: Item): boolean =>
  stored.isArchived ? stored.isArchivedInPortal : stored.isEdited && stored.text !== item.text;

/** The items that the portal has and the files that name an id. */
class Index {
  readonly #bySlug = new Map<string, StoredItem>();
  readonly #byId = new Map<string, StoredItem>();
  readonly #filesById = new Map<string, Item>();

  constructor({ items, stored }: Request) {
    for (const item of items) {
      const id = idOf(item);
      if (id !== undefined) this.#filesById.set(`${item.kind} ${id}`, item);
    }
    for (const each of stored) {
      this.#byId.set(`${each.kind} ${each.id}`, each);
      if (each.slug !== null) this.#bySlug.set(getFilePath({ ...each, slug: each.slug }), each);
    }
  }

  /** Finds the item of the portal that a file defines: by its id or, without one, by its slug. */
  find(item: Item): { stored?: StoredItem | undefined; finding?: Finding | undefined } {
    const id = idOf(item);
    const bySlug = this.#bySlug.get(getFilePath(item));
    if (!bySlug) return id === undefined ? {} : { stored: this.#byId.get(`${item.kind} ${id}`) };
    if (id !== undefined) return { stored: bySlug, finding: checkId(item, bySlug.id) };
    const other = this.#filesById.get(`${item.kind} ${bySlug.id}`);
    // Reports in the portal refer to a dataset by its slug.
    if (other)
      return {
        stored: bySlug,
        finding: findIn(item, {
          path: [],
          message: `${getFilePath(other)} has the id of this item; apply that file first, or give this file another name`,
        }),
      };
    return { stored: bySlug };
  }
}

/** Checks that the id in a file, if any, is the id of its item. */
export function checkId(item: Item, storedId: string): Finding | undefined {
  const id = idOf(item);
  if (id === undefined || id === storedId) return undefined;
  return findIn(item, {
    path: ['id'],
    message: `the id of ${getFilePath(item)} is ${storedId} and cannot change; write that id, or remove the property`,
  });
}

const idOf = ({ definition }: Item) => definition.id?.toLowerCase();

function compare(
  item: Item,
  stored: StoredItem | undefined,
  source: Pick<StoredSource, 'files' | 'columns'> | undefined,
): Change['change'] {
  if (!stored) return 'create';
  if (stored.isArchived) return 'restore';
  const isSame =
    stored.slug === item.slug &&
    stored.text === item.text &&
    (item.kind === 'report' || describeSource(stored) === describeSource(source));
  return isSame ? 'unchanged' : 'update';
}

const describeSource = (source: Pick<StoredItem, 'files' | 'columns'> | undefined): string =>
  JSON.stringify([source?.files, source?.columns?.map(({ name, type }) => [name, type])]);
