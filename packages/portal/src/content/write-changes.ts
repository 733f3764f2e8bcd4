import { builtin, type DatasetContent, type StoredSource } from '#report-engine';

import { recordChange, type Activity } from '../activity-log/service.ts';
import { nameActor, type Context } from '../actor/actor.ts';
import {
  applyCatalogue,
  type CatalogueChanges,
  type CatalogueDataset,
  type CatalogueReport,
  type RoleChanges,
} from '../catalogue/apply.ts';
import type { Database } from '../db/connection/open.ts';
import { getFilePath } from './items.ts';
import type { Change } from './plan.ts';
import * as store from './store.ts';

/**
 * Writes the changes and an entry of the activity log.
 *
 * @param options.activity the entry for new data. Default: it names each item
 */
export async function writeChanges(
  ctx: Context,
  changed: readonly Change[],
  sources: ReadonlyMap<string, StoredSource>,
  options: { origin: store.Authorship['origin']; activity?: Activity | undefined },
): Promise<void> {
  const { organizationId } = ctx;
  const { origin } = options;
  const details: { changes: object[] } = { changes: [] };
  const activity =
    options.activity ??
    (origin === 'files'
      ? ({ action: 'applyContent', subject: '', details } as const)
      : ({
          action: 'saveDefinition',
          subject: changed.map(getFilePath).join(', '),
          details,
        } as const));
  const by = { origin, author: nameActor(ctx.actor) };
  await recordChange(ctx, activity, async (db) => {
    for (const change of changed) await saveText(db, organizationId, change, by);
    const changes = await toCatalogue(db, organizationId, changed, sources, origin);
    const roles = await applyCatalogue(db, organizationId, builtin, {
      ...changes,
      archivedBy: { name: by.author, from: origin },
    });
    for (const { kind, slug, id, change, item } of sortByKind(changed))
      details.changes.push({ kind, slug, id, change, ...describeRows(item, roles.get(id)) });
  });
}

/** Datasets first, because reports refer to them. */
const sortByKind = (changed: readonly Change[]) =>
  changed.toSorted((a, b) => Number(a.kind === 'report') - Number(b.kind === 'report'));

const describeRows = (item: Change['item'], roles: RoleChanges | undefined) =>
  item?.kind === 'dataset' ? { rowAccess: item.definition.rowAccess, roles } : {};

/** Keeps the text of an item that changes as a version. */
async function saveText(
  db: Database,
  organizationId: string,
  { item, id, kind, stored }: Change,
  by: store.Authorship,
): Promise<void> {
  if (!item || stored?.text === item.text) return;
  const version = (stored?.version ?? 0) + 1;
  await store.saveVersion(db, { organizationId, kind, id, text: item.text, version, ...by });
}

/** The changes as the catalogue keeps them. */
async function toCatalogue(
  db: Database,
  organizationId: string,
  changed: readonly Change[],
  sources: ReadonlyMap<string, StoredSource>,
  origin: store.Authorship['origin'],
): Promise<CatalogueChanges> {
  const datasets: CatalogueDataset[] = [];
  const reports: CatalogueReport[] = [];
  const datasetIds = new Map<string, string>();
  for (const { item, id, slug, stored } of sortByKind(changed)) {
    if (!item) continue;
    // New data do not edit the text.
    const isEdited = origin === 'pages' && (stored?.text !== item.text || stored.isEdited);
    const authored = { slug, text: item.text, isEdited };
    if (item.kind === 'dataset') {
      const { definition } = item;
      const { name, rowAccess } = definition;
      const { files, columns } = sources.get(slug)!;
      const source = { definition, files, columns } satisfies DatasetContent;
      const roles = definition.roles.map((role) => ({ name: role.name, definition: role.rows }));
      datasets.push({ id, name, rowAccess, source, roles, authored });
      datasetIds.set(slug, id);
    } else {
      const { name, description = null, workspace, dataset } = item.definition;
      const datasetId =
        datasetIds.get(dataset) ?? (await store.requireDatasetId(db, organizationId, dataset));
      const source = item.definition;
      reports.push({ id, name, description, workspace, datasetId, source, authored });
    }
  }
  return { datasets, reports, archived: changed.filter(({ item }) => !item) };
}
