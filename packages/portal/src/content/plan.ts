import { fileOf, reportAt, type Item } from './items.ts';
import type { Mistake } from './mistakes.ts';

/** An item as the portal has it. */
export interface StoredItem {
  kind: Item['kind'];
  id: string;
  name: string;
  /** `null` if a program imported the item and no content file defines it yet. */
  slug: string | null;
  text: string | null;
  version: number;
  isEdited: boolean;
  isArchived: boolean;
  /** The stored versions of a dataset's files. */
  files: readonly string[] | null;
}

/** What an apply does to one item. */
export interface Change {
  kind: Item['kind'];
  slug: string;
  id: string;
  name: string;
  change: 'create' | 'update' | 'restore' | 'archive' | 'unchanged';
  /** Whether this change would overwrite an edit that was made in the portal. */
  isConflict: boolean;
  /** The new item; `undefined` if it is archived. */
  item: Item | undefined;
  stored: StoredItem | undefined;
}

interface Request {
  items: readonly Item[];
  stored: readonly StoredItem[];
  /** The stored versions of each dataset's files, by slug. */
  files: ReadonlyMap<string, readonly string[]>;
  prune: boolean;
  createId: () => string;
}

/** Decides what an apply of these items does. */
export function planChanges(request: Request): { changes: Change[]; mistakes: Mistake[] } {
  const mistakes: Mistake[] = [];
  const matched = new Set<StoredItem>();
  const changes = request.items.map((item): Change => {
    const { stored, mistake } = findStored(item, request);
    if (mistake) mistakes.push(mistake);
    if (stored) matched.add(stored);
    const { kind, slug } = item;
    const change = compare(item, stored, request.files.get(slug));
    return {
      kind,
      slug,
      id: stored?.id ?? item.definition.id ?? request.createId(),
      name: item.definition.name,
      change,
      isConflict: stored?.isEdited === true && !stored.isArchived && stored.text !== item.text,
      item,
      stored,
    };
  });
  const archived = request.stored.filter(
    (stored) => stored.slug !== null && !stored.isArchived && !matched.has(stored),
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
  return { changes, mistakes };
}

/** Finds the item of the portal that a file defines: by its id or, without one, by its slug. */
function findStored(
  item: Item,
  { stored }: Request,
): { stored?: StoredItem | undefined; mistake?: Mistake } {
  const id = item.definition.id?.toLowerCase();
  const ofKind = stored.filter(({ kind }) => kind === item.kind);
  const bySlug = ofKind.find(({ slug }) => slug === item.slug);
  if (id === undefined || bySlug?.id === id) return { stored: bySlug };
  if (bySlug)
    return {
      stored: bySlug,
      mistake: reportAt(item, {
        path: ['id'],
        message: `the id of ${fileOf(item)} is ${bySlug.id} and cannot change; write that id, or remove the property`,
      }),
    };
  return { stored: ofKind.find((each) => each.id === id) };
}

function compare(
  item: Item,
  stored: StoredItem | undefined,
  files: readonly string[] | undefined,
): Change['change'] {
  if (!stored) return 'create';
  if (stored.isArchived) return 'restore';
  const isSame =
    stored.slug === item.slug &&
    stored.text === item.text &&
    (item.kind === 'report' || String(stored.files) === String(files));
  return isSame ? 'unchanged' : 'update';
}
