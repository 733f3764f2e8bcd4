import { sql } from 'kysely';
import type { StandIn, StandInWorkspace } from 'platform-powerbi/testing/stand-in';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';

import type { RemotePlatform } from '#platform';

import { linkReports, unlinkReports } from '../../src/access/report-links.ts';
import { linkUsers, unlinkUsers } from '../../src/access/role-links.ts';
import { listActivity } from '../../src/activity-log/service.ts';
import { listRuns, stateOf } from '../../src/remote-platforms/runs.ts';
import { declareRoles, disconnectPlatform } from '../../src/remote-platforms/service.ts';
import { syncPlatform } from '../../src/remote-platforms/sync.ts';
import { startTestPortal, type TestPortal } from '../support/portal.ts';
import { createWorkspaces, TestPowerbi } from '../support/powerbi.ts';
import { mint, open, startSession, view } from '../support/viewer.ts';

const { signal } = new AbortController();

/** Lets the stand-in answer. */
let release = () => {};

let portal: TestPortal;
let powerbi: TestPowerbi;
let standIn: StandIn;
let platform: RemotePlatform;
beforeAll(async () => {
  powerbi = await TestPowerbi.start(() => portal);
  ({ standIn, platform } = powerbi);
  portal = await startTestPortal({ platforms: [platform] });
});
afterAll(async () => {
  await portal.close();
  await powerbi[Symbol.asyncDispose]();
});

const connect = (workspaces: StandInWorkspace[]) => powerbi.connect(portal.acme, workspaces);

const sync = () => syncPlatform(portal.acme.ctx, platform, signal);

const listShown = async (query = '') =>
  (await portal.api('GET', `/api/report?pageSize=200${query}`)).json().data as {
    id: string;
    name: string;
    workspaceName: string;
  }[];

const countActivity = async () =>
  (await listActivity(portal.acme.ctx, { limit: 1_000 })).filter(
    ({ action }) => action === 'syncPlatform',
  ).length;

const readVersions = () =>
  portal.db
    .selectFrom('reports')
    .where('platform', '=', 'powerbi')
    .select(['id', 'version'])
    .orderBy('id')
    .execute();

it('200 reports in 20 workspaces are listed, and a second synchronization changes nothing', async () => {
  const workspaces = createWorkspaces(20, 10);
  await connect(workspaces);
  const first = await sync();
  expect([first.added.length, first.datasets.length, first.notes]).toEqual([200, 20, []]);
  const [versions, entries] = [await readVersions(), await countActivity()];

  expect(await sync()).toEqual({
    added: [],
    renamed: [],
    moved: [],
    changed: [],
    returned: [],
    gone: [],
    datasets: [],
    notes: [],
    failure: null,
  });
  expect(await readVersions()).toEqual(versions);
  expect(await countActivity()).toBe(entries);
  const ids = new Set((await listShown('&reportName=Report')).map(({ id }) => id));
  for (const { reports } of workspaces)
    for (const { id } of reports) expect(ids.has(id)).toBe(true);
}, 60_000);

it('a renamed, a removed, a moved and a returned report keep ids and access, and others stay', async () => {
  const workspaces = createWorkspaces(3, 3);
  await connect(workspaces);
  await sync();
  const [[renamed, removed, moved], [returned, stays]] = workspaces.map(
    ({ reports }) => reports,
  ) as [StandInWorkspace['reports'], StandInWorkspace['reports']];
  const { acme } = portal;
  const userEmail = acme.emails.west;
  const reports = [renamed!, removed!, moved!, returned!].map(({ id }) => id);
  await linkReports(acme.ctx, { userEmail, reports });
  const shop = workspaces[0]!;
  const other = workspaces[1]!;
  other.reports = other.reports.filter((report) => report !== returned);
  expect(await sync()).toMatchObject({ gone: [returned!.name] });
  const before = await readVersions();

  renamed!.name = 'Another name';
  shop.reports = shop.reports.filter((report) => report !== removed && report !== moved);
  other.reports.push({ ...moved! });
  other.models.push(...shop.models);
  other.reports.push(returned!);
  expect(await sync()).toEqual({
    added: [],
    renamed: [`Report 0.0 → Another name`],
    moved: [`${moved!.name}: ${shop.name} → ${other.name}`],
    changed: [],
    returned: [returned!.name],
    gone: [removed!.name],
    datasets: [],
    notes: [],
    failure: null,
  });

  const shown = new Map((await listShown()).map((report) => [report.id, report]));
  expect(shown.get(renamed!.id)).toMatchObject({ name: 'Another name' });
  expect(shown.get(moved!.id)).toMatchObject({ workspaceName: other.name });
  expect(shown.has(returned!.id)).toBe(true);
  expect(shown.has(removed!.id)).toBe(false);
  const after = await readVersions();
  const changedIds = before
    .filter(({ id, version }) => after.find((each) => each.id === id)!.version !== version)
    .map(({ id }) => id);
  expect(changedIds.toSorted()).toEqual(
    [renamed, moved, returned].map((each) => each!.id).toSorted(),
  );
  expect(changedIds).not.toContain(stays!.id);

  const user = await portal.api('GET', `/api/user?email=${userEmail}`);
  const links = JSON.stringify(user.json());
  for (const { id } of [renamed!, moved!, returned!]) expect(links).toContain(id);
  shop.reports.push(removed!);
  await sync();
  expect(
    JSON.stringify((await portal.api('GET', `/api/user?email=${userEmail}`)).json()),
  ).toContain(removed!.id);
}, 60_000);

it('a failed synchronization changes nothing, and says why', async () => {
  const workspaces = createWorkspaces(2, 2);
  await connect(workspaces);
  await sync();
  const before = await readVersions();
  standIn.faults.set(`/groups/${workspaces[1]!.id}`, 'no-rights');
  await expect(sync()).rejects.toThrow('Add it there as a member.');
  expect(await readVersions()).toEqual(before);
  const [failed] = await listRuns(portal.acme.ctx, 'powerbi');
  expect(failed).toMatchObject({ kind: 'sync', requestedBy: 'operator' });
  expect(failed!.failure).toContain('Add it there as a member.');
  expect(stateOf(failed!)).toBe('failed');
  standIn.faults.clear();
  await sync();
  const [ended] = await listRuns(portal.acme.ctx, 'powerbi');
  expect(stateOf(ended!)).toBe('done');
});

it('another organization neither sees the reports nor is changed', async () => {
  await connect(createWorkspaces(1, 1));
  await sync();
  const { data } = (
    await portal.api('GET', '/api/report?pageSize=200', { key: portal.globex.apiKey })
  ).json();
  expect(JSON.stringify(data)).not.toContain('Report 0.0');
  await expect(syncPlatform(portal.globex.ctx, platform, signal)).rejects.toMatchObject({
    code: 'platform_not_connected',
  });
});

it('roles are declared, linked, and stay over synchronizations', async () => {
  const workspaces = createWorkspaces(1, 1);
  const [{ models, reports }] = workspaces as [StandInWorkspace];
  await connect(workspaces);
  await sync();
  const { acme } = portal;
  const datasetId = models[0]!.id;
  await declareRoles(acme.ctx, platform, { datasetId, names: ['East', 'West'] });
  const reportId = reports[0]!.id;
  const [reader, other] = [acme.emails.west, acme.emails.east];
  for (const userEmail of [reader, other])
    await linkReports(acme.ctx, { userEmail, reports: [reportId] });
  await linkUsers(acme.ctx, { datasetId, role: 'West', usersEmails: [reader] });
  models[0]!.name = 'Renamed model';
  expect(await sync()).toMatchObject({ datasets: ['Renamed model'] });

  const { bearer } = await startSession(portal, acme, { userEmail: reader, reportId });
  const opened = (await view(acme.address, bearer, reportId)).json();
  const { token, request } = standIn.issued.at(-1)!;
  expect(opened).toMatchObject({ token });
  expect(request.identities).toEqual([
    { username: reader, roles: ['West'], datasets: [datasetId] },
  ]);

  const count = standIn.issued.length;
  const without = await startSession(portal, acme, { userEmail: other, reportId });
  const refused = await view(acme.address, without.bearer, reportId);
  expect(refused.body).not.toContain('embed-');
  expect(standIn.issued).toHaveLength(count);

  await expect(
    declareRoles(acme.ctx, platform, { datasetId, names: ['a, b'] }),
  ).rejects.toMatchObject({ code: 'invalid_content' });
});

it('after the connection has ended, no report can be opened; connected again, it can', async () => {
  const workspaces = createWorkspaces(1, 1);
  delete workspaces[0]!.models[0]!.roles;
  await connect(workspaces);
  await sync();
  const { acme } = portal;
  const userEmail = acme.emails.west;
  const reportId = workspaces[0]!.reports[0]!.id;
  await linkReports(acme.ctx, { userEmail, reports: [reportId] });
  const { bearer } = await startSession(portal, acme, { userEmail, reportId });
  expect((await view(acme.address, bearer, reportId)).status).toBe(200);

  await disconnectPlatform(acme.ctx, platform);
  expect((await view(acme.address, bearer, reportId)).status).not.toBe(200);
  expect((await listShown()).some(({ id }) => id === reportId)).toBe(false);
  await expect(disconnectPlatform(acme.ctx, platform)).rejects.toMatchObject({
    code: 'platform_not_connected',
  });

  await connect(workspaces);
  await sync();
  const url = await mint(portal, acme, { userEmail, reportId });
  expect((await open(url)).status).toBe(200);
});

it('each grant of a report is one entry of the access log, also when its token is renewed', async () => {
  const workspaces = createWorkspaces(1, 1);
  delete workspaces[0]!.models[0]!.roles;
  await connect(workspaces);
  await sync();
  const { acme } = portal;
  const reportId = workspaces[0]!.reports[0]!.id;
  const userEmail = acme.emails.east;
  const link = () => linkReports(acme.ctx, { userEmail, reports: [reportId] });
  const countEntries = async () =>
    (await portal.api('GET', '/api/report-audit?pageSize=200'))
      .json()
      .data.filter((entry: { reportId: string }) => entry.reportId === reportId).length as number;
  await link();
  const { bearer } = await startSession(portal, acme, { userEmail, reportId });
  const opened = (await view(acme.address, bearer, reportId)).json();
  expect(await countEntries()).toBe(1);

  const issued = standIn.issued.length;
  for (const secondsLeft of [800, 60, -5])
    await view(acme.address, bearer, reportId, {
      intent: 'refresh',
      held: { key: opened.key, secondsLeft },
    });
  expect(standIn.issued.length).toBe(issued + 2);
  expect(await countEntries()).toBe(1);

  await unlinkReports(acme.ctx, { userEmail, reports: [reportId] });
  const without = standIn.issued.length;
  expect((await view(acme.address, bearer, reportId)).status).toBe(403);
  expect(standIn.issued).toHaveLength(without);
  await link();
  await view(acme.address, bearer, reportId);
  expect(await countEntries()).toBe(2);
  const other = await startSession(portal, acme, { userEmail, reportId });
  await view(acme.address, other.bearer, reportId);
  expect(await countEntries()).toBe(3);
});

describe('a token that Power BI gives slowly is not handed out', () => {
  it.each([
    ['after the reader has lost the role', 503, { kind: 'role' }],
    ['after the reader has lost access', 403, { kind: 'access' }],
    ['after the session has ended', 401, { kind: 'session' }],
  ] as const)('%s', async (_, status, { kind }) => {
    const workspaces = createWorkspaces(1, 1);
    const [{ models, reports }] = workspaces as [StandInWorkspace];
    await connect(workspaces);
    await sync();
    const { ctx, address, emails } = portal.acme;
    const [datasetId, reportId, userEmail] = [models[0]!.id, reports[0]!.id, emails.west];
    await declareRoles(ctx, platform, { datasetId, names: ['West'] });
    await linkReports(ctx, { userEmail, reports: [reportId] });
    const role = { datasetId, role: 'West', usersEmails: [userEmail] };
    await linkUsers(ctx, role);
    const { bearer } = await startSession(portal, portal.acme, { userEmail, reportId });

    const count = standIn.issued.length;
    standIn.answersAfter = new Promise((resolve) => void (release = resolve));
    onTestFinished(() => release());
    const opening = view(address, bearer, reportId);
    await vi.waitFor(() => expect(standIn.issued).toHaveLength(count + 1));
    if (kind === 'role') await unlinkUsers(ctx, role);
    else if (kind === 'access') await unlinkReports(ctx, { userEmail, reports: [reportId] });
    else await portal.api('DELETE', `/api/user/${userEmail}/sessions`);
    release();
    const answer = await opening;
    expect(answer.status).toBe(status);
    expect(answer.body).not.toContain('embed-');
  });
});

it('no token and no secret is in the log or in the database', async () => {
  const tokens = standIn.issued.map(({ token }) => token);
  expect(tokens.length).toBeGreaterThan(0);
  const { rows } = await sql<{ text: string | null }>`
    SELECT string_agg(row_to_json(portal_sessions)::text, '') AS text FROM portal_sessions
    UNION ALL SELECT string_agg(row_to_json(activity_entries)::text, '') FROM activity_entries
    UNION ALL SELECT string_agg(row_to_json(platform_runs)::text, '') FROM platform_runs
    UNION ALL SELECT string_agg(row_to_json(platform_connections)::text, '')
      FROM platform_connections`.execute(portal.db);
  const text = portal.log.join('\n') + rows.map((row) => row.text).join('\n');
  for (const secret of [...tokens, standIn.secret]) expect(text.includes(secret)).toBe(false);
});
