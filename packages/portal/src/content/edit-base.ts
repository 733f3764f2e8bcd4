import { PortalError } from '../errors.ts';
import { ContentError } from './content-error.ts';
import { getFilePath, type ItemKind } from './items.ts';
import type { Change, StoredItem } from './plan.ts';

/** One item that a page saves. */
export interface Edit {
  kind: ItemKind;
  slug: string;
  /** The item and the version that the author read; `null` for a new item. */
  base: { id: string; version: number } | null;
}

/** @throws `stale_version` if the item has changed since the author read it */
export function requireBase({ kind, slug, base }: Edit, stored: readonly StoredItem[]): void {
  const current = stored.find((each) => each.kind === kind && each.slug === slug);
  const isSame = base
    ? current?.id === base.id && current.version === base.version && !current.isArchived
    : !current;
  if (isSame) return;
  throw new PortalError(
    'stale_version',
    `Nothing was saved, because somebody else has changed ${getFilePath({ kind, slug })} in the meantime. Load their version, and repeat your change.`,
  );
}

/** A file with the id of another item would replace that item. */
export function requireSameItem(edit: Edit, changes: readonly Change[]): void {
  for (const { kind, slug, stored } of changes) {
    const isEdited = kind === edit.kind && slug === edit.slug;
    if (!isEdited || stored?.id === edit.base?.id) continue;
    throw new ContentError([
      {
        file: getFilePath(edit),
        line: 1,
        column: 1,
        message: `another ${kind} has this id; remove the property`,
      },
    ]);
  }
}

/** Attempts while others save the same items. */
const maxAttempts = 5;

/**
 * Repeats work whose items somebody else has changed in the meantime.
 *
 * @param isRepeatable whether the author did not name the version that they read
 */
export async function retryStale<Result>(
  work: () => Promise<Result>,
  isRepeatable = true,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1)
    try {
      return await work();
    } catch (error) {
      const isStale = error instanceof PortalError && error.code === 'stale_version';
      if (!isStale || !isRepeatable || attempt === maxAttempts) throw error;
    }
}
