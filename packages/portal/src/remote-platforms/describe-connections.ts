import type { Context } from '../actor/actor.ts';
import { requireAdministrator } from '../actor/permissions.ts';
import { inSnapshot } from '../db/query/paging.ts';
import { findDetails } from '../organizations/store.ts';
import { listRuns, type PlatformRun } from './runs.ts';
import * as store from './store.ts';

/** A connection with what the catalogue has of it. */
export interface DescribedConnection {
  connection: store.PlatformConnection;
  /** Those with reports. */
  workspaces: store.WorkspaceOfProduct[];
  datasets: store.DatasetOfProduct[];
  /** The latest first. */
  runs: PlatformRun[];
}

/** Lists the connections of the organization, and its slug. */
export async function describeConnections(
  ctx: Context,
): Promise<{ slug: string; connections: DescribedConnection[] }> {
  requireAdministrator(ctx);
  const { db, organizationId } = ctx;
  // A synchronization can end in between.
  return inSnapshot(db, async (snapshot) => {
    const { slug } = (await findDetails(snapshot, organizationId))!;
    const connections: DescribedConnection[] = [];
    for (const connection of await store.listConnections(snapshot, organizationId)) {
      const { platform } = connection;
      connections.push({
        connection,
        workspaces: await store.listWorkspacesOfProduct(snapshot, organizationId, platform),
        datasets: await store.listDatasetsOfProduct(snapshot, organizationId, platform),
        runs: await listRuns({ db: snapshot, organizationId }, platform),
      });
    }
    return { slug, connections };
  });
}
