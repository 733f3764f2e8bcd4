import type { StoredSource } from '#report-engine';

import { recordChange } from '../activity-log/service.ts';
import type { Actor, Context } from '../actor/actor.ts';
import type { Database } from '../db/connection/open.ts';
import { getFilePath } from './items.ts';
import type { Change } from './plan.ts';
import * as store from './store.ts';

/** Writes the changes and an entry of the activity log. */
export async function writeChanges(
  ctx: Context,
  changed: readonly Change[],
  sources: ReadonlyMap<string, StoredSource>,
  origin: 'files' | 'pages',
): Promise<void> {
  const { organizationId } = ctx;
  const details: { changes: object[] } = { changes: [] };
  const activity =
    origin === 'files'
      ? ({ action: 'applyContent', subject: '', details } as const)
      : ({
          action: 'saveDefinition',
          subject: changed.map(getFilePath).join(', '),
          details,
        } as const);
  const by = { origin, author: nameActor(ctx.actor) };
  await recordChange(ctx, activity, async (db) => {
    // Datasets first, because reports refer to them.
    const order = changed.toSorted(
      (a, b) => Number(a.kind === 'report') - Number(b.kind === 'report'),
    );
    for (const change of order) {
      const roles = await writeItem(db, organizationId, change, sources, by);
      const { kind, slug, id, change: done } = change;
      details.changes.push({ kind, slug, id, change: done, ...roles });
    }
  });
}

/** Writes one change. For a dataset, returns the changes of its roles. */
async function writeItem(
  db: Database,
  organizationId: string,
  { item, id, kind, slug, stored }: Change,
  sources: ReadonlyMap<string, StoredSource>,
  by: store.Authorship,
): Promise<{ rowAccess: string; roles: store.RoleChanges } | undefined> {
  if (!item) {
    await store.archive(db, organizationId, { kind, id });
    return undefined;
  }
  const { text } = item;
  const version = (stored?.version ?? 0) + 1;
  const saved = { organizationId, id, slug, text, version, ...by };
  if (stored?.text !== text) await store.saveVersion(db, { ...saved, kind });
  if (item.kind === 'report') {
    const datasetId = await store.requireDatasetId(db, organizationId, item.definition.dataset);
    await store.saveReport(db, { ...saved, definition: item.definition, datasetId });
    return undefined;
  }
  const { files, columns } = sources.get(slug)!;
  const roles = await store.saveDataset(db, {
    ...saved,
    definition: item.definition,
    files,
    columns,
  });
  return { rowAccess: item.definition.rowAccess, roles };
}

/** A key is named by its id, as its name can change. */
function nameActor(actor: Actor): string {
  if (actor.kind === 'user') return actor.email;
  return actor.kind === 'operator' ? actor.name : actor.id;
}
