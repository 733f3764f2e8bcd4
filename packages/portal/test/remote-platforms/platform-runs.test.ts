import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';

import { sql } from 'kysely';
import { createLogCollector } from 'test-support';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';

import type { AdminAnswer, PowerbiConnection } from '#admin/requests';

import { linkReports } from '../../src/access/report-links.ts';
import { linkUsers } from '../../src/access/role-links.ts';
import { createLogger } from '../../src/logger.ts';
import { syncStale } from '../../src/remote-platforms/open-powerbi.ts';
import { listRuns, requestRun } from '../../src/remote-platforms/runs.ts';
import { declareRoles, disconnectPlatform } from '../../src/remote-platforms/service.ts';
import { startSyncs } from '../../src/remote-platforms/sync-job.ts';
import { syncPlatform } from '../../src/remote-platforms/sync.ts';
import { listNewest } from '../support/activity.ts';
import { signInAs, type AdminBrowser } from '../support/admin.ts';
import { expectProblem } from '../support/http.ts';
import { startTestPortal, type TestPortal } from '../support/portal.ts';
import { createWorkspaces, TestPowerbi } from '../support/powerbi.ts';

let portal: TestPortal;
let powerbi: TestPowerbi;
let administrator: AdminBrowser;
let operator: AdminBrowser;
beforeAll(async () => {
  powerbi = await TestPowerbi.start(() => portal);
  portal = await startTestPortal({ platforms: [powerbi.platform] });
  administrator = await signInAs(portal, portal.acme, 1, 'ada@acme.example');
  operator = await signInAs(portal, portal.acme, 'operator', 'olga@portal.example');
});
afterAll(async () => {
  await portal.close();
  await powerbi[Symbol.asyncDispose]();
});

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(stops.splice(0).map((stop) => stop()));
});

function startJob(platform = powerbi.platform): () => Promise<void> {
  const stop = startSyncs({
    db: portal.db,
    publicUrl: portal.publicUrl,
    platforms: [platform],
    logger: createLogger('silent'),
    intervalMs: 20,
  });
  stops.push(stop);
  return stop;
}

const send = async <Answer>(
  method: 'GET' | 'POST' | 'PUT',
  path: string,
  json?: object,
  browser = administrator,
): Promise<Answer> => {
  const answer = await browser.send(method, `/organizations/${portal.acme.id}${path}`, { json });
  if (answer.status !== 200) throw new Error(`${path}: ${answer.body}`);
  return answer.json() as Answer;
};

const readPlatforms = (browser = administrator) =>
  send<AdminAnswer<'readPlatforms'>>('GET', '/platforms', undefined, browser);

async function waitFor(
  isReached: (connection: PowerbiConnection) => boolean,
): Promise<PowerbiConnection> {
  return vi.waitFor(
    async () => {
      const [connection] = (await readPlatforms()).connections;
      if (!connection || !isReached(connection)) throw new Error(JSON.stringify(connection));
      return connection;
    },
    { timeout: 10_000, interval: 50 },
  );
}

const sync = () => syncPlatform(portal.acme.ctx, powerbi.platform, new AbortController().signal);

const disconnect = () => disconnectPlatform(portal.acme.ctx, powerbi.platform);

it('an organization without a connection is told the variables of the secret', async () => {
  expect(await readPlatforms()).toEqual({
    command: expect.stringContaining('portal platforms add powerbi -o acme'),
    variables: {
      secret: 'PORTAL_POWERBI_SECRET_ACME',
      certificate: 'PORTAL_POWERBI_CERTIFICATE_ACME',
    },
    connections: [],
  });
  const path = `/organizations/${portal.acme.id}/platforms/powerbi/check`;
  expectProblem(await administrator.send('POST', path), 'platform_not_connected');
});

it('a new connection is synchronized by itself, and administrators and operators see what it changed', async () => {
  const workspaces = createWorkspaces(2, 2);
  const [first, second] = workspaces as [(typeof workspaces)[0], (typeof workspaces)[0]];
  first.reports.push({ id: randomUUID(), name: 'Invoice' });
  await powerbi.connect(portal.acme, workspaces);
  startJob();
  const connection = await waitFor(({ syncs }) => syncs[0]?.state === 'done');
  expect(await readPlatforms(operator)).toEqual(await readPlatforms());
  const { standIn } = powerbi;
  expect(connection).toMatchObject({
    platform: 'powerbi',
    label: 'Power BI',
    tenant: standIn.tenant,
    clientId: standIn.clientId,
    cloud: 'commercial',
    username: 'email',
    customData: false,
    workspaces: [
      { id: first.id, name: 'Workspace 0', reports: 2 },
      { id: second.id, name: 'Workspace 1', reports: 2 },
    ],
    commands: {
      change: `portal platforms add powerbi -o acme \\
  --tenant ${standIn.tenant} \\
  --client-id ${standIn.clientId} \\
  --workspace ${first.id} ${second.id}`,
      roles: `portal platforms set-roles ${first.models[0]!.id} -o acme --role East West`,
    },
    check: null,
  });
  expect(connection.datasets).toEqual(
    workspaces.map(({ models: [model] }) => ({
      id: model!.id,
      name: model!.name,
      rowAccess: 'by-role',
      roles: [],
    })),
  );
  expect(connection.syncs).toMatchObject([
    {
      requestedBy: null,
      failure: null,
      changes: {
        added: { count: 4, names: ['Report 0.0', 'Report 0.1', 'Report 1.0', 'Report 1.1'] },
        datasets: { count: 2, names: ['Model 0', 'Model 1'] },
      },
      notes: [
        'Report "Invoice" of workspace "Workspace 0" is not listed: it is paginated, and has no model.',
      ],
      noteCount: 1,
    },
  ]);
  expect(JSON.stringify(connection)).not.toContain(standIn.secret);
});

it('a requested synchronization and a requested check name who asked for them', async () => {
  await powerbi.connect(portal.acme, createWorkspaces(1, 1));
  await sync();
  powerbi.standIn.workspaces[0]!.hasCapacity = false;
  powerbi.standIn.trialUsage = 85;
  // Without the one that is due.
  await sql`UPDATE platform_connections SET sync_due_at = now() + interval '1 hour'`.execute(
    portal.db,
  );
  await send('POST', '/platforms/powerbi/sync');
  await send('POST', '/platforms/powerbi/sync', undefined, operator);
  await send('POST', '/platforms/powerbi/check', undefined, operator);
  const [waiting] = (await readPlatforms()).connections;
  expect(waiting!.syncs[0]).toMatchObject({ state: 'waiting', requestedBy: 'ada@acme.example' });
  expect(waiting!.check).toMatchObject({ state: 'waiting', requestedBy: 'olga@portal.example' });
  expect(waiting!.syncs.filter(({ state }) => state === 'waiting')).toHaveLength(1);

  startJob();
  const { check, syncs } = await waitFor(
    (each) => each.check?.state === 'done' && each.syncs[0]?.state === 'done',
  );
  expect(syncs[0]).toMatchObject({ requestedBy: 'ada@acme.example', changes: {} });
  expect(Date.parse(syncs[0]!.endedAt!)).toBeGreaterThanOrEqual(Date.parse(syncs[0]!.startedAt!));
  expect(check!.findings).toEqual([
    { level: 'ok', text: 'sign-in works' },
    {
      level: 'warning',
      text: 'workspace "Workspace 0": 1 report; it has no capacity, so its tokens are trial tokens, which run out. Assign it to a capacity',
    },
    {
      level: 'warning',
      text: '85 % of the trial tokens are used. Assign the workspaces to a capacity',
    },
  ]);
  expect((await listNewest(portal, 3)).map(({ action }) => action)).toEqual([
    'requestPlatformCheck',
    'requestPlatformSync',
    'requestPlatformSync',
  ]);
});

it('a failed synchronization shows why, and the reports stay', async () => {
  const workspaces = createWorkspaces(1, 1);
  await powerbi.connect(portal.acme, workspaces);
  await sync();
  powerbi.standIn.faults.set('/groups', 'not-allowed');
  await send('POST', '/platforms/powerbi/sync');
  startJob();
  const connection = await waitFor(({ syncs }) => syncs[0]?.state === 'failed');
  expect(connection.syncs[0]!.failure).toContain('does not let service principals use the API');
  expect(connection.workspaces[0]!.reports).toBe(1);
});

it('what failed is synchronized again as the portal starts, since a restart sets a secret', async () => {
  await disconnect();
  await powerbi.connect(portal.acme, createWorkspaces(1, 1));
  powerbi.standIn.faults.set('/groups', 'not-allowed');
  const stop = startJob();
  const {
    syncs: [failed],
  } = await waitFor(({ syncs }) => syncs[0]?.state === 'failed');
  powerbi.standIn.faults.clear();
  await setTimeout(200);
  expect((await readPlatforms()).connections[0]!.syncs[0]!.id).toBe(failed!.id);
  await stop();

  startJob();
  const {
    syncs: [done, before],
  } = await waitFor(({ syncs }) => syncs[0]?.state === 'done');
  expect([before!.id, done!.requestedBy]).toEqual([failed!.id, null]);
  await disconnect();
});

it('while the application does not see a workspace, its reports stay, and the others are updated', async () => {
  const workspaces = createWorkspaces(2, 2);
  const [seen, unseen] = workspaces as [(typeof workspaces)[0], (typeof workspaces)[0]];
  await powerbi.connect(portal.acme, workspaces);
  await sync();
  unseen.isMember = false;
  const [goes] = seen.reports.splice(0, 1);
  seen.reports[0]!.name = 'Renamed';
  seen.reports.push({ id: randomUUID(), name: 'Invoice' });
  const result = await sync();
  expect(result).toMatchObject({ renamed: ['Report 0.1 → Renamed'], gone: [], datasets: [] });
  expect(result.failure).toContain(`does not see the workspace ${unseen.id}.`);
  const [connection] = (await readPlatforms()).connections;
  expect(connection!.workspaces.map(({ reports }) => reports)).toEqual([2, 2]);
  expect(connection!.syncs[0]).toMatchObject({
    state: 'failed',
    failure: result.failure,
    changes: { renamed: { count: 1 } },
    notes: [expect.stringContaining('"Invoice"')],
  });

  unseen.isMember = true;
  expect(await sync()).toMatchObject({ failure: null, gone: [goes!.name], returned: [] });
  await disconnect();
});

it('a slow tenant holds up no other organization', async () => {
  const [slow, quick] = createWorkspaces(2, 1) as [
    ReturnType<typeof createWorkspaces>[0],
    ReturnType<typeof createWorkspaces>[0],
  ];
  await powerbi.connect(portal.acme, [quick]);
  await powerbi.connect(portal.globex, [slow]);
  powerbi.standIn.workspaces = [slow, quick];
  powerbi.standIn.faults.set(`/groups/${slow.id}`, 'slow');
  startJob();
  await vi.waitFor(async () => {
    const [run] = await listRuns(portal.globex.ctx, 'powerbi');
    expect(run!.startedAt).not.toBeNull();
  });
  await send('POST', '/platforms/powerbi/sync');
  await waitFor(({ syncs }) => syncs[0]?.state === 'done');
  const [run] = await listRuns(portal.globex.ctx, 'powerbi');
  expect(run!.endedAt).toBeNull();
  await disconnectPlatform(portal.globex.ctx, powerbi.platform);
});

it('a synchronization that the stop of the service ends is done again', async () => {
  const [workspace] = createWorkspaces(1, 1);
  await powerbi.connect(portal.acme, [workspace!]);
  powerbi.standIn.faults.set(`/groups/${workspace!.id}`, 'slow');
  const stop = startJob();
  await waitFor(({ syncs }) => syncs[0]?.state === 'running');
  await stop();
  powerbi.standIn.faults.clear();
  const stopped = await waitFor(({ syncs }) => syncs[0]?.state === 'failed');
  expect(stopped.syncs[0]!.failure).toBe('The run was stopped, or took too long. Try again.');
  startJob();
  await waitFor(({ syncs }) => syncs[0]?.state === 'done');
});

it('a run of a process that has ended counts as failed, and holds up no other', async () => {
  await powerbi.connect(portal.acme, createWorkspaces(1, 1));
  await requestRun(portal.acme.ctx, 'powerbi', 'check');
  await sql`
    UPDATE platform_runs SET started_at = now() - interval '16 minutes'
    WHERE kind = 'check' AND started_at IS NULL`.execute(portal.db);
  expect((await readPlatforms()).connections[0]!.check).toMatchObject({
    state: 'failed',
    failure: null,
  });
  startJob();
  await waitFor(({ syncs }) => syncs[0]?.state === 'done');
});

it('the latest 20 synchronizations are kept', async () => {
  await powerbi.connect(portal.acme, createWorkspaces(1, 1));
  for (let count = 0; count < 22; count += 1) await sync();
  const runs = await listRuns(portal.acme.ctx, 'powerbi');
  expect(runs.filter(({ kind }) => kind === 'sync')).toHaveLength(20);
});

it('a report that has gone is in the archive with its product, and returns with its readers', async () => {
  const [workspace] = createWorkspaces(1, 2);
  const [goes] = workspace!.reports;
  await powerbi.connect(portal.acme, [workspace!]);
  await sync();
  await linkReports(portal.acme.ctx, {
    userEmail: portal.acme.emails.west,
    reports: [goes!.id],
  });
  const listed = await send<AdminAnswer<'findReports'>>('GET', '/reports?search=Report%200.0');
  expect(listed.items).toMatchObject([{ id: goes!.id, product: 'Power BI', readers: 1 }]);
  expect(await send('GET', `/reports/${goes!.id}`)).toMatchObject({
    product: 'Power BI',
    productUrl: `https://app.powerbi.com/groups/${workspace!.id}/reports/${goes!.id}`,
    workspaceName: 'Workspace 0',
    dataset: { name: 'Model 0' },
    canEdit: false,
  });

  const { reports } = workspace!;
  workspace!.reports = reports.slice(1);
  expect(await sync()).toMatchObject({ gone: ['Report 0.0'] });
  const findArchived = async () =>
    (await send<AdminAnswer<'findArchived'>>('GET', '/archive?search=Report%200.0')).items.find(
      ({ id }) => id === goes!.id,
    );
  expect(await findArchived()).toMatchObject({
    product: 'Power BI',
    archivedFrom: 'product',
    archivedBy: null,
    isDefined: false,
  });
  expect(
    await send('POST', '/items/restore', { items: [{ kind: 'report', id: goes!.id }] }),
  ).toMatchObject({
    done: [],
    failed: [
      {
        detail:
          'This report belongs to another product. It is restored when a synchronization finds it there again.',
      },
    ],
  });

  workspace!.reports = reports;
  expect(await sync()).toMatchObject({ returned: ['Report 0.0'], added: [] });
  expect(await findArchived()).toBeUndefined();
  expect(await send('GET', `/reports/${goes!.id}/access`)).toMatchObject({
    users: { items: [{ email: portal.acme.emails.west }] },
  });
  await disconnect();
  expect(await findArchived()).toMatchObject({ archivedFrom: 'product', archivedBy: 'operator' });
});

it('the activity log has what happened to a connection, in names', async () => {
  const [workspace, more] = createWorkspaces(2, 1) as [
    ReturnType<typeof createWorkspaces>[0],
    ReturnType<typeof createWorkspaces>[0],
  ];
  await powerbi.connect(portal.acme, [workspace]);
  await powerbi.connect(portal.acme, [workspace, more]);
  await sync();
  workspace.reports[0]!.name = 'Sales';
  await sync();
  await sync();
  const datasetId = workspace.models[0]!.id;
  const names = ['East', 'West'];
  await declareRoles(portal.acme.ctx, powerbi.platform, { datasetId, names });
  await disconnect();
  const { entries } = await send<AdminAnswer<'listActivity'>>('GET', '/activity-log');
  expect(entries.slice(0, 6)).toMatchObject([
    { action: 'disconnectPlatform', subject: 'powerbi', subjectName: 'Power BI' },
    { action: 'declareRoles', subjectName: 'Model 0', details: { roles: names } },
    {
      action: 'syncPlatform',
      details: { changes: { renamed: { count: 1, names: ['Report 0.0 → Sales'] } } },
    },
    { action: 'syncPlatform', details: { changes: { added: { count: 2 } } } },
    { action: 'changePlatform', details: { changed: ['workspaces'] } },
    { action: 'connectPlatform', details: { settings: { workspaces: [workspace.id] } } },
  ]);
});

it('roles that are left out are removed, and the result counts the links that they had', async () => {
  const [workspace] = createWorkspaces(1, 1);
  await powerbi.connect(portal.acme, [workspace!]);
  await sync();
  const datasetId = workspace!.models[0]!.id;
  const declare = (names: string[]) =>
    declareRoles(portal.acme.ctx, powerbi.platform, { datasetId, names });
  expect(await declare(['East', 'West'])).toEqual({ removed: [] });
  const { west, east } = portal.acme.emails;
  await linkUsers(portal.acme.ctx, { datasetId, role: 'West', usersEmails: [west, east] });
  expect(await declare(['East', 'North'])).toEqual({
    removed: [{ name: 'West', users: 2, groups: 0 }],
  });
  await disconnect();
});

it('openings that Power BI rejects again and again do not synchronize each time', async () => {
  const workspaces = createWorkspaces(1, 1);
  await powerbi.connect(portal.acme, workspaces);
  startJob();
  await waitFor(({ syncs }) => syncs[0]?.state === 'done');
  const countRequests = () => powerbi.standIn.asked.length;
  const before = countRequests();
  for (let opened = 0; opened < 3; opened += 1) {
    await syncStale(portal.db, portal.acme.id, undefined);
    await setTimeout(200);
  }
  expect(countRequests()).toBe(before);
  // The next one begins five minutes after the last.
  await sql`UPDATE platform_runs SET started_at = started_at - interval '5 minutes'`.execute(
    portal.db,
  );
  await syncStale(portal.db, portal.acme.id, undefined);
  await vi.waitFor(() => expect(countRequests()).toBeGreaterThan(before));
  await disconnect();
});

it('a synchronization of a stale catalogue is due at once, or the log says why it is not', async () => {
  await powerbi.connect(portal.acme, createWorkspaces(1, 1));
  await sql`UPDATE platform_connections SET sync_due_at = now() + interval '1 hour'`.execute(
    portal.db,
  );
  const { log, destination } = createLogCollector();
  const logger = createLogger('info', destination);
  await syncStale(portal.db, portal.acme.id, logger);
  startJob();
  await waitFor(({ syncs }) => syncs[0]?.state === 'done');
  expect(log.join()).toContain('the catalogue is stale');
  expect(log.join()).not.toContain('cannot be requested');

  const aborted = portal.db.transaction().execute(async (transaction) => {
    await expect(sql`SELECT 1 / 0`.execute(transaction)).rejects.toThrow('division by zero');
    await syncStale(transaction, portal.acme.id, logger);
  });
  await aborted.catch(() => {});
  expect(log.join()).toContain('a synchronization cannot be requested');
});
