import type { PlatformCheck, PlatformSync, PowerbiConnection } from '#admin/requests';
import type { Finding } from '#platform';
import { connectionSchema } from '#platform-powerbi';

import type { Platforms } from '../platforms/registry.ts';
import type { SyncOutcome } from '../remote-platforms/apply-remote.ts';
import {
  describeConnections,
  type DescribedConnection,
} from '../remote-platforms/describe-connections.ts';
import { writeAddCommand, writeRolesCommand } from '../remote-platforms/operator-commands.ts';
import { powerbiVariablesOf } from '../remote-platforms/powerbi-variables.ts';
import { requestRun, stateOf, type PlatformRun } from '../remote-platforms/runs.ts';
import type { AdminHandlers } from './mount.ts';

export const platformAdminRoutes = (platforms: Pick<Platforms, 'productOf'>) =>
  ({
    readPlatforms: async ({ ctx }) => {
      const { slug, connections } = await describeConnections(ctx);
      return {
        command: writeAddCommand(slug),
        variables: powerbiVariablesOf(slug),
        connections: connections.map((connection) =>
          presentConnection(platforms, slug, connection),
        ),
      };
    },
    requestPlatformCheck: async ({ ctx }, { platform }) => {
      await requestRun(ctx, platform, 'check');
      return {};
    },
    requestPlatformSync: async ({ ctx }, { platform }) => {
      await requestRun(ctx, platform, 'sync');
      return {};
    },
  }) satisfies Partial<AdminHandlers>;

function presentConnection(
  platforms: Pick<Platforms, 'productOf'>,
  slug: string,
  { connection, workspaces, datasets, runs }: DescribedConnection,
): PowerbiConnection {
  const { platform, settings, connectedAt } = connection;
  const parsed = connectionSchema.parse(settings);
  const { workspaces: ids, ...shown } = parsed;
  const example =
    datasets.find(({ rowAccess, roles }) => rowAccess === 'by-role' && roles.length === 0) ??
    datasets[0];
  const check = runs.find(({ kind }) => kind === 'check');
  return {
    platform,
    label: platforms.productOf(platform) ?? platform,
    connectedAt: connectedAt.toISOString(),
    ...shown,
    workspaces: ids.map((id) => {
      const known = workspaces.find((each) => each.id === id.toLowerCase());
      return { id, name: known?.name ?? null, reports: known?.reports ?? 0 };
    }),
    datasets,
    commands: {
      change: writeAddCommand(slug, parsed),
      roles: example ? writeRolesCommand(slug, example.id) : null,
    },
    check: check ? presentCheck(check) : null,
    syncs: runs.filter(({ kind }) => kind === 'sync').map(presentSync),
  };
}

const presentRun = (run: PlatformRun) => ({
  id: run.id,
  state: stateOf(run),
  requestedBy: run.requestedBy,
  requestedAt: run.requestedAt.toISOString(),
  startedAt: run.startedAt?.toISOString() ?? null,
  endedAt: run.endedAt?.toISOString() ?? null,
  failure: run.failure,
});

const presentCheck = (run: PlatformRun): PlatformCheck => ({
  ...presentRun(run),
  findings: (run.result as Finding[] | null) ?? [],
});

const presentSync = (run: PlatformRun): PlatformSync => ({
  ...presentRun(run),
  ...((run.result as SyncOutcome | null) ?? { changes: {}, notes: [], noteCount: 0 }),
});
