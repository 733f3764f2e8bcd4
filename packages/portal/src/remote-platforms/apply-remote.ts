import { isDeepStrictEqual } from 'node:util';

import { changeKinds, type ChangeKind, type PlatformChanges } from '#admin/requests';
import type { RemoteCatalogue, RemotePlatform, RemoteReport } from '#platform';

import { recordChange } from '../activity-log/service.ts';
import type { Context } from '../actor/actor.ts';
import { applyCatalogue, type CatalogueChanges } from '../catalogue/apply.ts';
import type { Database } from '../db/connection/open.ts';
import { retryConflicts } from '../db/query/conflicts.ts';
import { lockForChange } from '../organizations/store.ts';
import * as store from './store.ts';

/** Names by what happened: `Old → New` of a renamed report, `Report: Old → New` of a moved one. */
export interface SyncResult extends Record<ChangeKind, string[]> {
  /** Sentences about what is left out. */
  notes: string[];
  /** Why a part could not be read; then nothing is archived. `null` if all was read. */
  failure: string | null;
}

/** What is stored of a synchronization. */
export interface SyncOutcome {
  changes: PlatformChanges;
  /** The first sentences about what is left out. */
  notes: string[];
  noteCount: number;
}

/** Names of each kind, and sentences, that are stored. */
const maxStored = 100;

export const summarize = ({ notes, failure: _failure, ...found }: SyncResult): SyncOutcome => ({
  changes: summarizeChanges(found),
  notes: notes.slice(0, maxStored),
  noteCount: notes.length,
});

const summarizeChanges = (found: Record<ChangeKind, string[]>): PlatformChanges =>
  Object.fromEntries(
    changeKinds
      .filter((kind) => found[kind].length > 0)
      .map((kind) => [kind, { count: found[kind].length, names: found[kind].slice(0, maxStored) }]),
  );

/** Makes the catalogue list what the product lists. An entry of the log has what changed, if anything. */
export const applyRemote = (
  ctx: Context,
  platform: RemotePlatform,
  catalogue: RemoteCatalogue,
): Promise<SyncResult> => retryConflicts(() => tryApply(ctx, platform, catalogue));

async function tryApply(
  ctx: Context,
  platform: RemotePlatform,
  catalogue: RemoteCatalogue,
): Promise<SyncResult> {
  const { organizationId } = ctx;
  const before = await planChanges(ctx.db, { organizationId, platform, catalogue });
  if (isEmpty(before)) return before.found;
  const details: { changes: PlatformChanges } = { changes: {} };
  const activity = { action: 'syncPlatform', subject: platform.name, details } as const;
  return recordChange(ctx, activity, async (transaction) => {
    await lockForChange(transaction, organizationId);
    const { changes, found } = await planChanges(transaction, {
      organizationId,
      platform,
      catalogue,
    });
    await applyCatalogue(transaction, organizationId, platform, changes);
    details.changes = summarizeChanges(found);
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
    renamed: [],
    moved: [],
    changed: [],
    returned: [],
    gone: [],
    datasets: [],
    notes: remote.notes,
    failure: remote.failure,
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
    noteReport(found, held, wanted);
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
  const gone = remote.failure === null ? findGone(stored.reports, remote.reports) : [];
  found.gone.push(...gone.map(({ name }) => name));
  const goneDatasets = remote.failure === null ? findGone(stored.datasets, remote.datasets) : [];
  found.datasets.push(...goneDatasets.map(({ name }) => name));
  return {
    found,
    changes: {
      datasets,
      reports,
      archivedBy: { name: null, from: 'product' },
      archived: [
        ...gone.map(({ id }) => ({ kind: 'report', id }) as const),
        ...goneDatasets.map(({ id }) => ({ kind: 'dataset', id }) as const),
      ],
    },
  };
}

/** Notes what happened to a report that is new, or differs from the stored one. */
function noteReport(
  found: SyncResult,
  held: store.StoredReport | undefined,
  { name, workspace }: Pick<store.StoredReport, 'name' | 'workspace'>,
): void {
  if (!held) return void found.added.push(name);
  if (held.isArchived) found.returned.push(name);
  if (held.name !== name) found.renamed.push(`${held.name} → ${name}`);
  if (held.workspace !== workspace) found.moved.push(`${name}: ${held.workspace} → ${workspace}`);
  const isNoted = held.isArchived || held.name !== name || held.workspace !== workspace;
  if (!isNoted) found.changed.push(name);
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
