import { randomUUID } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { type AdminEndpoint, adminEndpoints } from '#admin/requests';

import { signInAs, type AdminBrowser } from '../support/admin.ts';
import { dumpTables } from '../support/dump.ts';
import { startTestPortal, type TestPortal } from '../support/portal.ts';

const roles = { administrator: 1, contributor: 2, workspaceContributor: 4 } as const;
type Caller = keyof typeof roles | 'operator';

const rows = Object.entries(adminEndpoints) as [string, AdminEndpoint][];
const ofOrganization = rows.filter(([, { path }]) => path.includes('{organizationId}'));

let portal: TestPortal;
let browsers: Record<Caller, AdminBrowser>;
beforeAll(async () => {
  portal = await startTestPortal();
  const signIn = (caller: Caller) =>
    signInAs(
      portal,
      portal.acme,
      caller === 'operator' ? caller : roles[caller],
      `${caller.toLowerCase()}@acme.example`,
    );
  browsers = {
    administrator: await signIn('administrator'),
    contributor: await signIn('contributor'),
    workspaceContributor: await signIn('workspaceContributor'),
    operator: await signIn('operator'),
  };
});
afterAll(() => portal.close());

/** Sends each request with an organization's id, and no body. Returns the codes by endpoint. */
async function sendAll(
  caller: Caller,
  endpoints: readonly [string, AdminEndpoint][],
  organizationId: string,
): Promise<Record<string, string>> {
  const codes: Record<string, string> = {};
  for (const [name, { method, path }] of endpoints) {
    const address = path
      .replace('{organizationId}', organizationId)
      .replace(/\{\w+\}/g, randomUUID());
    const answer = await browsers[caller].send(method, address);
    codes[name] = answer.status === 200 ? 'ok' : answer.json().code;
  }
  return codes;
}

const allWith = (endpoints: readonly [string, AdminEndpoint][], code: string) =>
  Object.fromEntries(endpoints.map(([name]) => [name, code]));

describe.each(Object.keys(roles) as (keyof typeof roles)[])(
  'the %s of an organization',
  (caller) => {
    it('an id of another organization gets the answer of an unknown one, and changes nothing', async () => {
      const before = await dumpTables(portal.db);
      const expected = allWith(ofOrganization, 'organization_not_found');
      expect(await sendAll(caller, ofOrganization, portal.globex.id)).toEqual(expected);
      expect(await sendAll(caller, ofOrganization, randomUUID())).toEqual(expected);
      expect(await dumpTables(portal.db)).toEqual(before);
    });

    it('a user of an organization may not call endpoints for operators', async () => {
      const forOperators = rows.filter(([, { access }]) => access === 'operator');
      expect(forOperators.length).toBeGreaterThan(0);
      expect(await sendAll(caller, forOperators, portal.acme.id)).toEqual(
        allWith(forOperators, 'missing_permission'),
      );
    });
  },
);

describe.each(['contributor', 'workspaceContributor'] as const)('a %s', (caller) => {
  it('a contributor may not call endpoints for administrators, and changes nothing', async () => {
    const forAdministrators = rows.filter(([, { access }]) => access === 'administrator');
    const before = await dumpTables(portal.db);
    expect(await sendAll(caller, forAdministrators, portal.acme.id)).toEqual(
      allWith(forAdministrators, 'missing_permission'),
    );
    expect(await dumpTables(portal.db)).toEqual(before);
  });
});

it.each(['administrator', 'operator'] as const)(
  'an %s may read every page of the organization',
  async (caller) => {
    const pages = ofOrganization.filter(
      ([, { method, path }]) => method === 'GET' && path.split('{').length === 2,
    );
    const codes = await sendAll(caller, pages, portal.acme.id);
    expect(Object.values(codes).filter((code) => code === 'missing_permission')).toEqual([]);
    expect(codes).toMatchObject({ readOrganization: 'ok', readOverview: 'ok', listApiKeys: 'ok' });
  },
);

it('an id of another organization answers like an unknown one', async () => {
  const ids: Record<string, string> = {
    reportId: portal.globex.reportId,
    datasetId: portal.globex.datasetId,
    groupId: portal.globex.groupId,
  };
  const withIds = ofOrganization.filter(
    ([, { method, path }]) => method === 'GET' && Object.keys(ids).some((id) => path.includes(id)),
  );
  for (const [name, { method, path }] of withIds) {
    const fill = (values: Record<string, string>) =>
      path
        .replace('{organizationId}', portal.acme.id)
        .replace(/\{(\w+)\}/g, (_, param: string) => values[param] ?? randomUUID());
    const query = name === 'findFieldValues' ? '?field=Region' : '';
    const known = await browsers.administrator.send(method, fill(ids) + query);
    const unknown = await browsers.administrator.send(method, fill({}) + query);
    expect([name, known.status, known.json().code]).toEqual([name, 404, unknown.json().code]);
  }
});
