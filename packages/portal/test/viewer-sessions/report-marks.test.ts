import { send } from 'test-support';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { ReportList, ViewerSession } from '#viewer/requests';

import { linkReports } from '../../src/access/report-links.ts';
import { addItems } from '../support/items.ts';
import { startTestPortal, type TestPortal } from '../support/portal.ts';
import { startSession, view } from '../support/viewer.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await startTestPortal();
});
afterAll(() => portal.close());

const openPortal = (user: 'west' | 'east' | 'both') =>
  startSession(portal, portal.acme, { userEmail: portal.acme.emails[user] });
const authorize = ({ bearer }: ViewerSession) => ({ authorization: `Bearer ${bearer}` });
const setFavorite = (
  session: ViewerSession,
  reportId: string,
  json: object = { isFavorite: true },
) =>
  send(`${portal.acme.address}/viewer/reports/${reportId}/favorite`, {
    method: 'PUT',
    headers: authorize(session),
    json,
  });
const listReports = async (session: ViewerSession): Promise<ReportList> =>
  (await send(`${portal.acme.address}/viewer/reports`, { headers: authorize(session) })).json();

describe('a favorite', () => {
  it('is kept for the next session of its user, and for nobody else', async () => {
    const { reportId } = portal.acme;
    const session = await openPortal('west');
    expect(session).toMatchObject({ favorites: [], recent: [] });
    expect((await setFavorite(session, reportId)).status).toBe(200);
    expect((await setFavorite(session, reportId)).status).toBe(200);
    expect((await openPortal('west')).favorites).toEqual([reportId]);
    expect(await listReports(session)).toMatchObject({ favorites: [reportId], recent: [] });
    expect((await openPortal('east')).favorites).toEqual([]);
    await setFavorite(session, reportId, { isFavorite: false });
    expect((await openPortal('west')).favorites).toEqual([]);
  });

  it.each([
    ['of another organization', () => portal.globex.reportId],
    ['that does not exist', () => '00000000-0000-4000-8000-000000000000'],
    ['that the user may not open', () => portal.acme.groupReportId],
  ])('cannot be a report %s', async (_, id) => {
    const session = await openPortal('west');
    const answer = await setFavorite(session, id());
    expect([answer.status, answer.json().code]).toEqual([403, 'report_not_accessible']);
    expect((await listReports(session)).favorites).toEqual([]);
  });

  it('is not listed while its user may not open the report', async () => {
    const { reportId, emails } = portal.acme;
    const session = await openPortal('both');
    await setFavorite(session, reportId);
    const json = { userEmail: emails.both, reports: [reportId] };
    await portal.api('PUT', '/api/user/unlink-reports', { json });
    expect(await listReports(session)).toMatchObject({ favorites: [] });
    await portal.api('PUT', '/api/user/link-reports', { json });
    expect(await listReports(session)).toMatchObject({ favorites: [reportId] });
  });

  it('cannot be set by a session for one report, which has no list', async () => {
    const { reportId, emails } = portal.acme;
    const session = await startSession(portal, portal.acme, { userEmail: emails.west, reportId });
    expect(session).toMatchObject({ favorites: [], recent: [] });
    expect((await setFavorite(session, reportId)).status).toBe(403);
  });

  it.each([
    ['a text as the flag', { isFavorite: 'yes' }],
    ['an object as the flag', { isFavorite: {} }],
    ['another field', { isFavorite: true, userId: 'x' }],
    ['no field', {}],
  ])('cannot be set with %s', async (_, json) => {
    const answer = await setFavorite(await openPortal('west'), portal.acme.reportId, json);
    expect([answer.status, answer.json().code]).toEqual([400, 'invalid_request']);
  });

  it('needs a session, a report id and the method PUT', async () => {
    const session = await openPortal('west');
    const { reportId } = portal.acme;
    expect((await setFavorite({ ...session, bearer: 'x' }, reportId)).status).toBe(401);
    expect((await setFavorite(session, 'x')).status).toBe(400);
    const path = `${portal.acme.address}/viewer/reports/${reportId}/favorite`;
    expect((await send(path, { headers: authorize(session) })).status).toBe(405);
  });
});

it('the reports that a user opened are listed, the latest first', async () => {
  const { acme } = portal;
  const user = { userEmail: acme.emails.both };
  const json = { ...user, reports: [acme.groupReportId] };
  await portal.api('PUT', '/api/user/link-reports', { json });
  const session = await startSession(portal, acme, user);
  await view(acme.address, session.bearer, acme.reportId);
  await view(acme.address, session.bearer, acme.groupReportId);
  expect((await listReports(session)).recent).toEqual([acme.groupReportId, acme.reportId]);
  const next = await startSession(portal, acme, user);
  await view(acme.address, next.bearer, acme.reportId);
  expect((await openPortal('both')).recent).toEqual([acme.reportId, acme.groupReportId]);
  expect((await openPortal('east')).recent).toEqual([]);
});

it('a refresh does not move a report among those that were opened last', async () => {
  const { acme } = portal;
  const session = await openPortal('both');
  for (const id of [acme.reportId, acme.groupReportId])
    await view(acme.address, session.bearer, id);
  await view(acme.address, session.bearer, acme.reportId, { intent: 'refresh' });
  expect((await listReports(session)).recent).toEqual([acme.groupReportId, acme.reportId]);
});

it('at most the eight reports that a user opened last are listed', async () => {
  const { acme } = portal;
  const { emails } = acme;
  const slugs = Array.from({ length: 9 }, (_, index) => `report-${index}`);
  const added = await addItems(acme.ctx, portal.datasetFolder, {
    reports: Object.fromEntries(slugs.map((slug) => [slug, { dataset: 'sales' }])),
  });
  const reports = Object.values(added.reports);
  await linkReports(acme.ctx, { userEmail: emails.none, reports });
  const session = await startSession(portal, acme, { userEmail: emails.none });
  for (const id of reports) await view(acme.address, session.bearer, id);
  expect((await listReports(session)).recent).toEqual(reports.slice(1).toReversed());
});

it('a session for one report lists only that report, and no marks of its user', async () => {
  const { acme } = portal;
  const { emails, reportId, groupReportId } = acme;
  const whole = await openPortal('both');
  await setFavorite(whole, groupReportId);
  await view(acme.address, whole.bearer, groupReportId);
  const session = await startSession(portal, acme, { userEmail: emails.both, reportId });
  const expected = { reports: [{ id: reportId }], favorites: [], recent: [] };
  expect(session).toMatchObject(expected);
  expect(await listReports(session)).toMatchObject(expected);
});
