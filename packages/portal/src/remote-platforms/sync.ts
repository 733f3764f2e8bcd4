import { isDeepStrictEqual } from 'node:util';

import type { RemoteCatalogue, RemotePlatform, RemoteReport } from '#platform';

import { recordChange } from '../activity-log/service.ts';
import type { Context } from '../actor/actor.ts';
import { requireOperator } from '../actor/permissions.ts';
import { applyCatalogue, type CatalogueChanges } from '../catalogue/apply.ts';
import type { Database } from '../db/connection/open.ts';
import { retryConflicts } from '../db/query/conflicts.ts';
import { lockForChange } from '../organizations/store.ts';
import { requireConnection } from './service.ts';
import * as store from './store.ts';

/** What a synchronization has changed: names of reports, by what happened to them. */
export interface SyncResult {
  added: string[];
  changed: string[];
  returned: string[];
  gone: string[];
  /** Names of datasets that are new, changed, or gone. */
  datasets: string[];
  /** Sentences about what is left out. */
  notes: string[];
}

/** Names of each kind in the entry of the activity log. */
const maxLogged = 100;

/**
 * Makes the catalogue of the organization list the reports of its connection. Reports keep their ids and
 * their access; those that have gone are archived.
 *
 * @throws `platform_not_connected`; what `remote.list` throws, which is stored with the connection
 */
export async function syncPlatform(
  ctx: Context,
  platform: RemotePlatform,
  signal: AbortSignal,
): Promise<SyncResult> {
  requireOperator(ctx);
  const { db, organizationId } = ctx;
  const { name } = platform;
  await requireConnection(ctx, name);
  try {
    const catalogue = await platform.remote.list(organizationId, signal);
    const result = await retryConflicts(() => applyRemote(ctx, platform, catalogue));
    await store.noteSync(db, organizationId, name, { failure: null, notes: result.notes });
    return result;
  } catch (error) {
    if (!signal.aborted && error instanceof Error)
      await store.noteSync(db, organizationId, name, { failure: error.message });
    throw error;
  }
}

async function applyRemote(
  ctx: Context,
  platform: RemotePlatform,
  catalogue: RemoteCatalogue,
): Promise<SyncResult> {
  const { organizationId } = ctx;
  const details: Partial<Record<keyof SyncResult, string[]>> = {};
  const activity = { action: 'syncPlatform', subject: platform.name, details } as const;
  const before = await planChanges(ctx.db, { organizationId, platform, catalogue });
  if (isEmpty(before)) return before.found;
  return recordChange(ctx, activity, async (transaction) => {
    await lockForChange(transaction, organizationId);
    const { changes, found } = await planChanges(transaction, {
      organizationId,
      platform,
      catalogue,
    });
    await applyCatalogue(transaction, organizationId, platform, changes);
    for (const [kind, names] of Object.entries(found))
      if (names.length > 0) details[kind as keyof SyncResult] = names.slice(0, maxLogged);
    return found;
  });
}

interface Plan {
  changes: CatalogueChanges;
  found: SyncResult;
}

const isEmpty = ({ changes: { datasets, reports, archived } }: Plan) =>
  [datasets, reports, archived].every((items) => items!.length === 0);

/** Finds what differs between the stored items and those of the product. */
async function planChanges(
  db: Database,
  {
    organizationId,
    platform: { name: platform },
    catalogue: remote,
  }: { organizationId: string; platform: RemotePlatform; catalogue: RemoteCatalogue },
): Promise<Plan> {
  const ids = remote.datasets.map(({ id }) => id);
  const stored = {
    reports: await store.listReports(db, organizationId, platform),
    datasets: await store.listDatasets(db, organizationId, platform, ids),
  };
  const storedReports = new Map(stored.reports.map((report) => [report.id, report]));
  const storedDatasets = new Map(stored.datasets.map((dataset) => [dataset.id, dataset]));
  const found: SyncResult = {
    added: [],
    changed: [],
    returned: [],
    gone: [],
    datasets: [],
    notes: remote.notes,
  };

  const datasets = remote.datasets.flatMap((dataset) => {
    const { id, name, source, rowAccess } = dataset;
    const held = storedDatasets.get(id);
    const wanted = { name, source, rowAccess, isArchived: false };
    const { roles = [] } = held ?? {};
    if (held && isDeepStrictEqual(pick(held), wanted)) return [];
    found.datasets.push(name);
    return [{ id, name, source: source as object, rowAccess, roles }];
  });
  const reports = remote.reports.flatMap((report) => {
    const held = storedReports.get(report.id);
    const { id, name, source, dataset: datasetId } = report;
    const wanted = { name, source, workspace: report.workspace.name, datasetId, isArchived: false };
    if (held && isDeepStrictEqual(pickReport(held), wanted)) return [];
    const kind = !held ? 'added' : held.isArchived ? 'returned' : 'changed';
    found[kind].push(name);
    return [
      {
        id,
        name,
        source: source as object,
        description: null,
        workspace: wanted.workspace,
        datasetId,
      },
    ];
  });
  const gone = findGone(stored.reports, remote.reports);
  found.gone.push(...gone.map(({ name }) => name));
  const goneDatasets = findGone(stored.datasets, remote.datasets);
  found.datasets.push(...goneDatasets.map(({ name }) => name));
  return {
    found,
    changes: {
      datasets,
      reports,
      archived: [
        ...gone.map(({ id }) => ({ kind: 'report', id }) as const),
        ...goneDatasets.map(({ id }) => ({ kind: 'dataset', id }) as const),
      ],
    },
  };
}

const pick = ({ name, source, rowAccess, isArchived }: store.StoredDataset) => ({
  name,
  source,
  rowAccess,
  isArchived,
});

const pickReport = ({ name, source, workspace, datasetId, isArchived }: store.StoredReport) => ({
  name,
  source,
  workspace,
  datasetId,
  isArchived,
});

function findGone<Item extends { id: string; isArchived: boolean }>(
  stored: readonly Item[],
  remote: readonly Pick<RemoteReport, 'id'>[],
): Item[] {
  const ids = new Set(remote.map(({ id }) => id));
  return stored.filter(({ id, isArchived }) => !isArchived && !ids.has(id));
}
