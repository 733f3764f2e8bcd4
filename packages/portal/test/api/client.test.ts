import { createPortalClient, provisionUser, syncUsers } from '@portal-embed/client';
import type { PortalClient, PortalClientOptions } from '@portal-embed/client';
import { startOtherPortal } from 'other-portal';
import { send } from 'test-support';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startTestPortal } from '../support/portal.ts';

/** What a client needs, for our portal or another. */
interface Subject {
  options: PortalClientOptions;
  portalUrl: string;
  organizationId: string;
  datasetId: string;
  reportId: string;
  groupId: string;
}

async function startOurs(): Promise<{ subject: Subject; stop: () => Promise<void> }> {
  const portal = await startTestPortal();
  const { apiKey, address, id, datasetId, reportId, groupId } = portal.acme;
  const ids = { organizationId: id, datasetId, reportId, groupId };
  const subject = { options: { apiUrl: portal.publicUrl, apiKey }, portalUrl: address, ...ids };
  return { subject, stop: () => portal.close() };
}

async function startOther(): Promise<{ subject: Subject; stop: () => Promise<void> }> {
  const { apiUrl, apiKey, portalUrl, state, ...portal } = await startOtherPortal();
  const fieldNames = { pageNumber: 'pageIndex', groups: 'groupsIds' };
  const subject = {
    options: { apiUrl, apiKey, fieldNames },
    portalUrl,
    organizationId: state.organizationId,
    datasetId: state.datasets[0]!.id,
    reportId: state.reports[0]!.id,
    groupId: state.groups[0]!.id,
  };
  return { subject, stop: async () => portal[Symbol.asyncDispose]() };
}

const userEmail = "zoe.o'hara+test@acme.example";
const user = { email: userEmail, name: 'Zoe', role: 3 };
/** Opens an identity URL as a browser does. */
async function openUrl(url: string) {
  const answer = await send(url);
  const { location } = answer.headers;
  if (location) await send(new URL(location, url).href);
}

const lower = (ids: readonly string[]) => ids.map((id) => id.toLowerCase());

describe.each([
  ['our portal', startOurs],
  ['another portal', startOther],
])('the client with %s', (_, start) => {
  let subject: Subject;
  let stop: () => Promise<void>;
  let client: PortalClient;
  beforeAll(async () => {
    ({ subject, stop } = await start());
    client = createPortalClient(subject.options);
  });
  afterAll(async () => {
    await client.close();
    await stop();
  });

  const findUser = async () => (await client.users.list({ email: userEmail })).data[0];
  const findRole = async () => {
    for await (const role of client.rls.iterate({ datasetId: subject.datasetId }))
      if (role.name === 'West') return role;
    throw new Error('There is no role West.');
  };

  /** Deletes a user whom an earlier attempt may have left. */
  const deleteIfExists = async (email: string) =>
    client.users.delete({ userEmail: email }).catch(() => {});

  it('the client creates a user and rejects a duplicate', async () => {
    await deleteIfExists(userEmail);
    await client.users.create(user);
    expect(await findUser()).toMatchObject(user);
    await expect(client.users.create(user)).rejects.toMatchObject({ code: 'user_exists' });
  });

  it('the client lists every report, page by page', async () => {
    const names: string[] = [];
    for await (const report of client.reports.iterate()) names.push(report.name);
    expect(names).toContain('Orders');
    expect(new Set(names).size).toBe(names.length);
    const { data } = await client.reports.list({ reportName: 'orders' });
    expect(lower(data.map(({ id }) => id))).toContain(subject.reportId.toLowerCase());
  });

  it('the client links and unlinks reports', async () => {
    const { reportId } = subject;
    await client.users.linkReports({ userEmail, reports: [reportId] });
    expect(lower((await findUser())!.reports)).toEqual([reportId.toLowerCase()]);
    await client.users.unlinkReports({ userEmail, reports: [reportId] });
    expect((await findUser())!.reports).toEqual([]);
  });

  it('the client links and unlinks users and groups of a role', async () => {
    const { datasetId, groupId } = subject;
    const role = { datasetId, role: 'West' };
    await client.rls.linkUsers({ usersEmails: [userEmail], ...role });
    await client.rls.linkGroups({ groups: [groupId], ...role });
    const linked = await findRole();
    expect(linked.userEmails).toContain(userEmail);
    expect(lower(linked.groups)).toEqual([groupId.toLowerCase()]);
    await client.rls.unlinkUsers({ usersEmails: [userEmail], ...role });
    await client.rls.unlinkGroups({ groups: [groupId], ...role });
    const unlinked = await findRole();
    expect(unlinked.userEmails).not.toContain(userEmail);
    expect(unlinked.groups).toEqual([]);
  });

  it('the client mints a URL that is valid for five minutes and opens a report, which the access log names', async () => {
    const { reportId, organizationId, portalUrl } = subject;
    await client.users.linkReports({ userEmail, reports: [reportId] });
    const report = { reportId, organizationId };
    const startedAt = performance.now();
    const url = await client.identity.mintUrl({ userEmail, baseUrl: portalUrl, ...report });
    const seconds = (performance.now() - startedAt) / 1_000;
    expect(new URL(url.embedUrl).origin).toBe(new URL(portalUrl).origin);
    expect(url.expiresIn).toBeGreaterThanOrEqual(298 - seconds);
    expect(url.expiresIn).toBeLessThanOrEqual(300);
    await openUrl(url.embedUrl);
    const { data } = await client.audit.list({ userEmail });
    expect(data[0]).toMatchObject({ userEmail, action: 1, actionName: 'TokenRequested' });
    expect(lower(data.map((entry) => entry.reportId))).toContain(reportId.toLowerCase());
  });

  it('the client deletes a user and fails with 404 the second time', async () => {
    await client.users.create(user).catch(() => {});
    await client.users.delete({ userEmail });
    expect(await findUser()).toBeUndefined();
    await expect(client.users.delete({ userEmail })).rejects.toMatchObject({ status: 404 });
  });

  it('provisions a user who then needs no synchronization', async () => {
    for (const email of [userEmail, 'new@acme.example']) await deleteIfExists(email);
    const { datasetId, reportId } = subject;
    const state = { ...user, reports: [reportId], rlsRoles: [{ datasetId, role: 'West' }] };
    await provisionUser(client, state);
    expect(await syncUsers(client, [state])).toEqual({ steps: [], failures: [], differences: [] });
    const changed = { ...state, reports: [], rlsRoles: [] };
    const { steps } = await syncUsers(client, [changed, { ...user, email: 'new@acme.example' }]);
    expect(steps.map(({ kind }) => kind)).toEqual(['create-user', 'unlink-role', 'unlink-reports']);
    expect((await syncUsers(client, [changed])).steps).toEqual([]);
  });

  it('the client fails with invalid_api_key for a wrong key, without a retry', async () => {
    const apiKey = 'pk_wrong_key';
    const stranger = createPortalClient({ ...subject.options, apiKey });
    const error = await stranger.users.list().catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'invalid_api_key', status: 401, retryable: false });
    expect(String(error)).not.toContain(apiKey);
    await stranger.close();
  });
});
