import type { Context } from '../actor/actor.ts';
import { requireAdministrator } from '../actor/permissions.ts';
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
  const { slug } = (await findDetails(db, organizationId))!;
  const connections: DescribedConnection[] = [];
  for (const connection of await store.listConnections(db, organizationId)) {
    const { platform } = connection;
    connections.push({
      connection,
      workspaces: await store.listWorkspacesOfProduct(db, organizationId, platform),
      datasets: await store.listDatasetsOfProduct(db, organizationId, platform),
      runs: await listRuns(ctx, platform),
    });
  }
  return { slug, connections };
}
