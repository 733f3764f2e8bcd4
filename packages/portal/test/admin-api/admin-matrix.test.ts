import { randomUUID } from 'node:crypto';

import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { type AdminEndpoint, adminEndpoints } from '#admin/requests';

import type { Context, UserActor } from '../../src/actor/actor.ts';
import { accessLogAdminRoutes } from '../../src/admin-api/access-log.ts';
import { activityLogAdminRoutes } from '../../src/admin-api/activity-log.ts';
import { apiKeyAdminRoutes } from '../../src/admin-api/api-keys.ts';
import { companyAdminRoutes } from '../../src/admin-api/companies.ts';
import { dataFileAdminRoutes } from '../../src/admin-api/data-files.ts';
import { datasetAdminRoutes } from '../../src/admin-api/datasets.ts';
import { groupAdminRoutes } from '../../src/admin-api/groups.ts';
import { itemAdminRoutes } from '../../src/admin-api/items.ts';
import type { AdminFile } from '../../src/admin-api/mount.ts';
import { oidcAdminRoutes } from '../../src/admin-api/oidc.ts';
import { organizationAdminRoutes } from '../../src/admin-api/organizations.ts';
import { platformAdminRoutes } from '../../src/admin-api/platforms.ts';
import { reportAdminRoutes } from '../../src/admin-api/reports.ts';
import { userAdminRoutes } from '../../src/admin-api/users.ts';
import { workspaceAdminRoutes } from '../../src/admin-api/workspaces.ts';
import { ReportTimes } from '../../src/platforms/report-times.ts';
import { countActivity, listNewest } from '../support/activity.ts';
import { openAdminBrowser, signInAs, type AdminBrowser } from '../support/admin.ts';
import { expectProblem } from '../support/http.ts';
import { startTestPortal, type TestPortal } from '../support/portal.ts';

let portal: TestPortal;
let administrator: AdminBrowser;
let contributors: AdminBrowser[];
let stranger: AdminBrowser;
beforeAll(async () => {
  portal = await startTestPortal();
  const { acme, globex } = portal;
  administrator = await signInAs(portal, acme, 1, 'administrator@acme.example');
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

it.each(withAccess('administrator'))('%s checks the role in its handler, too', async (name) => {
  const { platforms, acme } = portal;
  const data = { datasetFolder: '/nonexistent' };
  const onFailure = () => {};
  const handlers: Record<string, unknown> = {
    ...oidcAdminRoutes({ adminUrl: undefined, secrets: new Map(), onFailure }),
    ...organizationAdminRoutes(new Map(), new ReportTimes()),
    ...apiKeyAdminRoutes,
    ...accessLogAdminRoutes,
    ...activityLogAdminRoutes(platforms),
    ...userAdminRoutes(undefined),
    ...groupAdminRoutes,
    ...companyAdminRoutes,
    ...reportAdminRoutes({ ...data, platforms }),
    ...datasetAdminRoutes(data, { platforms, onFailure }),
    ...dataFileAdminRoutes(data, { platforms, onFailure }),
    ...itemAdminRoutes(data, platforms),
    ...platformAdminRoutes(platforms),
    ...workspaceAdminRoutes,
  };
  const handle = handlers[name] as (call: object, input: object) => Promise<object>;
  const actor: UserActor = { kind: 'user', id: randomUUID(), email: 'cora@acme.example', role: 2 };
  const ctx: Context = { ...acme.ctx, actor };
  const perform = async () => {
    const answer = await handle({ ctx, session: {} }, {});
    // A file is read while it is sent.
    if ('content' in answer) for await (const _ of (answer as AdminFile).content);
  };
  await expect(perform()).rejects.toMatchObject({ code: 'missing_permission' });
});

const readsOfOrganization = rows.filter(
  ([, { method, path }]) => method === 'GET' && path.includes('{organizationId}'),
);

it.each(readsOfOrganization)('%s answers an administrator', async (_, { method, path }) => {
  const { status } = await administrator.send(method, fill(path));
  expect(status).toBeOneOf([200, 400, 404]);
});

it.each(readsOfOrganization)(
  '%s refuses an unknown parameter of the query',
  async (_, { method, path }) => {
    const answer = await administrator.send(method, `${fill(path)}?surprise=1`);
    expectProblem(answer, 'invalid_request');
  },
);

it.each(withAccess('operator'))('%s is refused to administrators', async (_, row) => {
  const browser = await signInAs(portal, portal.acme, 1, `${randomUUID()}@acme.example`);
  expectProblem(await browser.send(row.method, fill(row.path)), 'missing_permission');
});

it('a read that is refused is not in the activity log', async () => {
  const before = await countActivity(portal);
  const path = `/organizations/${portal.acme.id}/users/${randomUUID()}`;
  expectProblem(await administrator.send('GET', path), 'user_not_found');
  expect(await countActivity(portal)).toBe(before);
});

it.each([
  ['of nothing', randomUUID, { name: 'x', baseName: 'y' }, 'group_not_found'],
  ['with an invalid body', randomUUID, {}, 'invalid_request'],
  ['with a NUL character in its path', () => '%00', {}, 'invalid_request'],
] as const)('a change %s is in the activity log as refused', async (_, createId, json, refusal) => {
  const id = createId();
  const path = `/organizations/${portal.acme.id}/groups/${id}`;
  expectProblem(await administrator.send('PUT', path, { json }), refusal);
  expect(await listNewest(portal, 1)).toMatchObject([
    { action: 'renameGroup', subject: id === '%00' ? '' : id, refusal },
  ]);
});

it('an operator is told that an organization does not exist', async () => {
  const operator = await signInAs(portal, portal.acme, 'operator', 'operator@portal.example');
  const ask = (id: string) => operator.send('GET', `/organizations/${id}/users`);
  expectProblem(await ask(randomUUID()), 'organization_not_found');
  expect((await ask(portal.globex.id)).status).toBe(200);
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

it.each([
  'changePassword',
  'createApiKey',
  'inviteToAdministration',
  'revokeApiKey',
  'rotateApiKey',
] as const)('%s needs a sign-in that was confirmed in the last ten minutes', async (name) => {
  await sql`UPDATE admin_sessions SET authenticated_at = now() - interval '11 minutes'`.execute(
    portal.db,
  );
  const { method, path } = adminEndpoints[name];
  const answer = await administrator.send(method, fill(path), { body: 'not read' });
  expectProblem(answer, 'fresh_sign_in_required');
});
