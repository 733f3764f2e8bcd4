import { startOtherPortal } from 'other-portal';
import type { OtherPortal } from 'other-portal';
import { startFaultyProxy } from 'test-support/conformance-faults';
import { startStopwatch } from 'test-support/stopwatch';
import { expect, it, vi } from 'vitest';

import { checkPortalConformance, exitCodeOf } from '../src/index.ts';
import type { PortalOptions, Report } from '../src/index.ts';
import { formatSummary } from '../src/output/text.ts';

const optionsOf = (portal: OtherPortal): PortalOptions => ({
  url: portal.apiUrl,
  apiKey: portal.apiKey,
  limitedKey: portal.createKey('Catalogue'),
  organizationId: portal.state.organizationId,
  baseUrl: portal.portalUrl,
  filter: { key: 'City', value: 'Manaus' },
  write: true,
});

/** What the run may change and must restore. */
const membersOf = ({ state }: OtherPortal) => ({
  users: state.users.map(({ email, reports }) => [email, ...reports]),
  roles: state.roles.map(({ name, users, groups }) => [name, ...users, ...groups]),
});

const ofKind = ({ results }: Report, wanted: string) =>
  results.filter(({ kind }) => kind === wanted).map(({ id, got }) => `${id}: ${got}`);

it('a portal of another vendor breaks no rule, and is left as it was', async () => {
  await using portal = await startOtherPortal();
  const before = membersOf(portal);
  const report = await checkPortalConformance(optionsOf(portal));
  expect(ofKind(report, 'failed')).toEqual([]);
  expect(report.leftovers).toEqual([]);
  expect(exitCodeOf(report)).toBe(0);
  expect(membersOf(portal)).toEqual(before);

  // What the specification leaves open is described, not judged.
  const info = ofKind(report, 'info').join('\n');
  for (const found of [
    'a second POST /api/user answers 409',
    'reportType: 12; folderId: 7',
    'ReportPrinted',
    'email matches exactly, ignoring letter case',
    '/api/user has pages of 20',
    'an unknown key: 401 without a body',
    'deleting an unknown user: 404 text/plain',
    'the field with the groups of a role: groupsIds',
  ])
    expect(info).toContain(found);

  // Nothing else is skipped, so the rules do run against such a portal.
  const skipped = ofKind(report, 'skipped').filter(
    (line) =>
      !/cannot be checked from outside|add --slow|only one page|too many pages|pageNumber does not select/.test(
        line,
      ),
  );
  expect(skipped).toEqual([]);
});

const subjects = ['Directory', 'Catalogue', 'Security', 'Journal', 'Embedding'] as const;

it.each(subjects)(
  'a key without the permission %s breaks no rule, and skips some',
  async (each) => {
    await using portal = await startOtherPortal();
    const before = membersOf(portal);
    const apiKey = portal.createKey(...subjects.filter((other) => other !== each));
    const report = await checkPortalConformance({ ...optionsOf(portal), apiKey });
    expect(ofKind(report, 'failed')).toEqual([]);
    expect(report).toMatchObject({ isComplete: false, leftovers: [] });
    expect(exitCodeOf(report)).toBe(2);
    expect(membersOf(portal)).toEqual(before);

    const refused = {
      Directory: 'GET /api/user, POST /api/user',
      Catalogue: 'GET /api/report, PUT /api/user/link-reports',
      Security: 'GET /api/datasets/rls',
      Journal: 'GET /api/report-audit',
      Embedding: 'POST /api/identity/url',
    }[each];
    expect(formatSummary(report)).toMatch(
      new RegExp(
        `^\\d+ of the skipped rules need calls that the key may not make: ${refused}\\.`,
        'm',
      ),
    );
    const endpoint = refused.split(', ')[0]!;
    expect(ofKind(report, 'skipped').join('\n')).toContain(
      `the key may not call ${endpoint}: 403 with text/plain: Forbidden`,
    );
  },
);

it('a key that may only read the access log creates nothing, and nothing is said to remain', async () => {
  await using portal = await startOtherPortal();
  const apiKey = portal.createKey('Journal');
  const report = await checkPortalConformance({ ...optionsOf(portal), apiKey });
  expect(ofKind(report, 'failed')).toEqual([]);
  expect(report.leftovers).toEqual([]);
});

it('a 403 to one request breaks the rule, if the key may call the endpoint', async () => {
  await using portal = await startOtherPortal();
  await using proxy = await startFaultyProxy(Number(new URL(portal.apiUrl).port));
  proxy.plant(async (request, forward) =>
    request.path.endsWith('/api/user') && request.body.includes('"role":3')
      ? { status: 403, headers: {}, body: '' }
      : forward(request),
  );
  const url = proxy.at(portal.apiUrl);
  const report = await checkPortalConformance({ ...optionsOf(portal), url });
  expect(ofKind(report, 'failed')).toContain(
    'users.create: POST /api/user answers 403 without a body',
  );
});

it('what an interrupted removal leaves is listed, with what to do', async () => {
  await using portal = await startOtherPortal();
  const [checks, removal] = [new AbortController(), new AbortController()];
  removal.abort();
  const report = await checkPortalConformance(
    { ...optionsOf(portal), signal: checks.signal, cleanupSignal: removal.signal },
    ({ id }) => id === 'roles.link-groups' && checks.abort(),
  );
  expect(exitCodeOf(report)).toBe(1);
  expect(report.leftovers).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^the user portal-conformance-\w+-first@example\.com\. Delete it$/),
      expect.stringMatching(
        /^links of the role .+ to portal-conformance-.+@example\.com\. Unlink them$/,
      ),
      expect.stringMatching(
        /^a change of the role .+ and the group .+\. Check that they are (?:un)?linked$/,
      ),
    ]),
  );
  const users = portal.state.users.filter(({ email }) => email.startsWith('portal-conformance-'));
  for (const { email } of users) expect(report.leftovers).toContain(`the user ${email}. Delete it`);
});

it('an error of the caller ends the run after the removal, and says what remains', async () => {
  await using portal = await startOtherPortal();
  const before = membersOf(portal);
  const check = (more: Partial<PortalOptions> = {}) =>
    checkPortalConformance({ ...optionsOf(portal), ...more }, ({ id }) => {
      if (id === 'users.create') throw new Error('the disk is full');
    });
  await expect(check()).rejects.toThrow(/^the disk is full$/);
  expect(membersOf(portal)).toEqual(before);
  await expect(check({ cleanupSignal: AbortSignal.abort() })).rejects.toThrow(
    /^Error: the disk is full\. Not removed: .*the user portal-conformance-\w+-first@example\.com\. Delete it$/,
  );
});

it('an interruption ends the wait for the expiry of a URL', async () => {
  await using portal = await startOtherPortal();
  const { results } = await checkPortalConformance({ ...optionsOf(portal), write: false });
  const skip = results.map(({ id }) => id).filter((id) => id !== 'identity.expires');
  const controller = new AbortController();
  const stop = startStopwatch();
  const check = checkPortalConformance({
    ...optionsOf(portal),
    slow: true,
    skip,
    signal: controller.signal,
  });
  await vi.waitFor(() => expect(portal.requests).toContain('GET /sign-in'));
  controller.abort();
  expect(await check).toMatchObject({ isComplete: false, leftovers: [] });
  expect(stop()).toBeLessThan(5_000);
});
