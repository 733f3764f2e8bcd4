import { randomUUID } from 'node:crypto';

import { afterAll, beforeAll, expect, it } from 'vitest';

import type { AdminEndpoint } from '#wire/admin/endpoint.ts';
import { adminEndpoints } from '#wire/admin/endpoints.ts';

import { countActivity } from './support/activity.ts';
import { openAdminBrowser, signInAs, type AdminBrowser } from './support/admin.ts';
import { expectProblem } from './support/http.ts';
import { startTestPortal, type TestPortal } from './support/portal.ts';

let portal: TestPortal;
let contributors: AdminBrowser[];
let stranger: AdminBrowser;
beforeAll(async () => {
  portal = await startTestPortal();
  const { acme, globex } = portal;
  contributors = [
    await signInAs(portal, acme, 2, 'contributor@acme.example'),
    await signInAs(portal, acme, 4, 'workspace-contributor@acme.example'),
  ];
  stranger = await signInAs(portal, globex, 1, 'administrator@globex.example');
});
afterAll(() => portal.close());

const rows = Object.entries(adminEndpoints) as [string, AdminEndpoint][];
const withAccess = (...access: AdminEndpoint['access'][]) =>
  rows.filter(([, row]) => access.includes(row.access));

/** The path of an endpoint of Acme, with ids of nothing. */
const fill = (path: string) =>
  path.replace('{organizationId}', portal.acme.id).replace(/\{\w+\}/g, () => randomUUID());

it.each(withAccess('signed-in', 'administrator', 'operator'))(
  '%s needs a session',
  async (_, { method, path }) => {
    const answer = await openAdminBrowser(portal).send(method, fill(path));
    expectProblem(answer, 'sign_in_required');
  },
);

it.each(withAccess('administrator', 'operator'))(
  '%s is refused to contributors',
  async (_, { method, path }) => {
    for (const browser of contributors)
      expectProblem(await browser.send(method, fill(path)), 'missing_permission');
  },
);

it.each(withAccess('operator'))('%s is refused to administrators', async (_, row) => {
  const browser = await signInAs(portal, portal.acme, 1, `${randomUUID()}@acme.example`);
  expectProblem(await browser.send(row.method, fill(row.path)), 'missing_permission');
});

it.each(rows.filter(([, { path }]) => path.includes('{organizationId}')))(
  '%s answers the administrator of another organization like an unknown one',
  async (_, { method, path }) => {
    const before = await countActivity(portal);
    const other = await stranger.send(method, fill(path));
    const unknownPath = fill(path.replace('{organizationId}', randomUUID()));
    const unknown = await stranger.send(method, unknownPath);
    expectProblem(other, 'organization_not_found');
    expect(other.json().detail).toBe(unknown.json().detail);
    expect(await countActivity(portal)).toBe(before);
  },
);
