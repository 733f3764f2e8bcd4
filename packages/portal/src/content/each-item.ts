import type { FailedItem } from '#admin/requests';

import { recordRefusal, type Action } from '../activity-log/service.ts';
import type { Context } from '../actor/actor.ts';
import { isConflict, retryConflicts } from '../db/query/conflicts.ts';
import { PortalError } from '../errors.ts';
import type { ItemKind } from './items.ts';

export interface ItemReference {
  kind: ItemKind;
  id: string;
}

/**
 * Runs an operation for one item after the other. An item that is refused does not stop the others.
 *
 * @param order the kind whose items come first
 */
export async function forEachItem<Item extends ItemReference, Done>(
  ctx: Context,
  request: {
    action: Action;
    items: readonly Item[];
    first: ItemKind;
    signal?: AbortSignal | undefined;
  },
  operation: (item: Item) => Promise<Done>,
): Promise<{ done: Done[]; failed: FailedItem[] }> {
  const { action, first, signal } = request;
  const done: Done[] = [];
  const failed: FailedItem[] = [];
  const isLater = ({ kind }: Item) => Number(kind !== first);
  for (const item of request.items.toSorted((a, b) => isLater(a) - isLater(b))) {
    signal?.throwIfAborted();
    try {
      const activity = { action, subject: item.id };
      done.push(await recordRefusal(ctx, activity, () => retryConflicts(() => operation(item))));
    } catch (error) {
      failed.push({ kind: item.kind, id: item.id, detail: describe(error) });
    }
  }
  return { done, failed };
}

/** Other errors than refusals end the request. */
function describe(error: unknown): string {
  if (error instanceof PortalError) return error.message;
  // The request must not be repeated, since other items are done.
  if (isConflict(error)) return 'Others changed it at the same time. Try again.';
  throw error;
}
