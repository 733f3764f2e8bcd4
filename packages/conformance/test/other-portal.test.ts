import { startOtherPortal } from 'other-portal';
import type { OtherPortal } from 'other-portal';
import { expect, it } from 'vitest';

import { checkPortalConformance, exitCodeOf } from '../src/index.ts';
import type { Report } from '../src/index.ts';

async function check(portal: OtherPortal): Promise<Report> {
  const { apiUrl, apiKey, portalUrl, state } = portal;
  return checkPortalConformance({
    url: apiUrl,
    apiKey,
    limitedKey: portal.createKey('Catalogue'),
    organizationId: state.organizationId,
    baseUrl: portalUrl,
    filter: { key: 'City', value: 'Manaus' },
    write: true,
  });
}

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
  const report = await check(portal);
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
