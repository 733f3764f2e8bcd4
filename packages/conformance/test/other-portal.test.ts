import { startOtherPortal } from 'other-portal';
import type { OtherPortal } from 'other-portal';
import { startStopwatch } from 'test-support/stopwatch';
import { expect, it, vi } from 'vitest';

import { checkPortalConformance, exitCodeOf } from '../src/index.ts';
import type { PortalOptions, Report } from '../src/index.ts';

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

it('a portal of another make breaks no rule, and is left as it was', async () => {
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
      expect.stringMatching(/^the user portal-conformance-\w+-first@example\.com: delete it$/),
      expect.stringMatching(
        /^links of the role .+ to portal-conformance-.+@example\.com: unlink them$/,
      ),
      expect.stringMatching(/^a change of the role .+: (?:un)?link the group .+$/),
    ]),
  );
  const users = portal.state.users.filter(({ email }) => email.startsWith('portal-conformance-'));
  for (const { email } of users) expect(report.leftovers).toContain(`the user ${email}: delete it`);
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
    /^Error: the disk is full\. Not removed: .*the user portal-conformance-\w+-first@example\.com: delete it$/,
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
