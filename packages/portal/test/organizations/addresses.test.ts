import { randomUUID } from 'node:crypto';

import { permissions } from '@portal-embed/contract';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';

import { createGroup } from '../../src/access/create-group.ts';
import { linkGroups } from '../../src/access/role-links.ts';
import { listActivity } from '../../src/activity-log/service.ts';
import type { UserActor } from '../../src/actor/actor.ts';
import { revokeApiKey } from '../../src/api-keys/service.ts';
import { addMembers } from '../../src/groups/service.ts';
import {
  createOrganization,
  deleteOrganization,
  findOrganization,
  findOrigins,
  listOrganizations,
  setOrigins,
  setUnappliedFilters,
} from '../../src/organizations/service.ts';
import { keyActor } from '../support/actors.ts';
import { startTestPortal, type TestPortal } from '../support/portal.ts';
import { mint, open, startSession, view } from '../support/viewer.ts';

let portal: TestPortal;
let second: string;
beforeAll(async () => {
  portal = await startTestPortal();
  second = portal.acme.address.replace('acme.', 'second.');
});
beforeEach(() => setOrigins(portal.acme.ctx, { addresses: [portal.acme.address, second] }));
afterAll(() => portal.close());

const ofAcme = async () =>
  (await listOrganizations(portal.db)).find(({ id }) => id === portal.acme.id)!;

it('removing an address ends its URLs and sessions, and no others', async () => {
  const { acme, globex } = portal;
  const userEmail = acme.emails.west;
  const at = async (address: string) => {
    const body = { userEmail, baseUrl: address };
    const { bearer } = await startSession(portal, acme, body);
    return { address, bearer, url: await mint(portal, acme, body) };
  };
  const [lost, kept] = [await at(second), await at(acme.address)];
  const other = await startSession(portal, globex, { userEmail: globex.emails.west });
  await setOrigins(acme.ctx, { addresses: [acme.address] });
  // Adding the address again does not restore them.
  await setOrigins(acme.ctx, { addresses: [acme.address, second] });
  const statusOf = async ({ address, bearer, url }: typeof lost) => [
    (await view(address, bearer, acme.reportId)).status,
    (await open(url)).status,
  ];
  expect([await statusOf(lost), await statusOf(kept)]).toEqual([
    [401, 410],
    [200, 200],
  ]);
  expect((await view(globex.address, other.bearer, globex.reportId)).status).toBe(200);
});

it('setting addresses keeps the embed origins, and setting embed origins keeps the addresses', async () => {
  const { acme } = portal;
  await setOrigins(acme.ctx, { embedOrigins: ['https://app.example'] });
  const addresses = [acme.address, second].toSorted();
  expect(await ofAcme()).toMatchObject({ addresses, embed_origins: ['https://app.example'] });
  await setOrigins(acme.ctx, { addresses: [acme.address] });
  expect(await ofAcme()).toMatchObject({
    addresses: [acme.address],
    embed_origins: ['https://app.example'],
  });
});

it('a duplicate address is set once, and the change is logged', async () => {
  const { acme } = portal;
  const twice = [acme.address, `${acme.address.toUpperCase()}/`];
  expect(await setOrigins(acme.ctx, { addresses: twice })).toEqual({ addresses: [acme.address] });
  const [entry] = await listActivity(acme.ctx, { limit: 1 });
  expect(entry).toMatchObject({
    action: 'setOrigins',
    subject: acme.id,
    details: { addresses: [acme.address] },
  });
});

it('embed origins are recorded in their normal form', async () => {
  const { ctx, id } = portal.acme;
  await setOrigins(ctx, { embedOrigins: ['https://App.example/', 'https://app.example'] });
  const [entry] = await listActivity(ctx, { limit: 1 });
  expect(entry).toMatchObject({ action: 'setOrigins', subject: id });
  expect(entry!.details).toEqual({ embedOrigins: ['https://app.example'] });
});

it('an address of another organization is rejected and changes nothing', async () => {
  const { acme, globex } = portal;
  const before = await ofAcme();
  const taken = setOrigins(acme.ctx, { addresses: ['https://new.example', globex.address] });
  await expect(taken).rejects.toMatchObject({
    code: 'address_taken',
    message: expect.stringContaining(`${globex.address} belongs to another organization`),
  });
  expect(await ofAcme()).toEqual(before);
});

it('the addresses and embed origins of an organization can be read', async () => {
  const { ctx, address, embedOrigin } = portal.globex;
  expect(await findOrigins(ctx)).toEqual({ addresses: [address], embedOrigins: [embedOrigin] });
});

it('a refused change of an organization says what happened and what to do', async () => {
  const { acme, globex, db, publicUrl } = portal;
  const refusals: [() => Promise<unknown>, string][] = [
    [
      () => createOrganization(db, { slug: 'acme', name: 'x', accentColor: '#123456' }),
      'The organization "acme" exists already. Choose another slug.',
    ],
    [
      () => setOrigins(acme.ctx, { addresses: [globex.address] }),
      `Nothing was changed: ${globex.address} belongs to another organization. Use another address.`,
    ],
    [
      () => setOrigins(acme.ctx, { addresses: [publicUrl] }),
      `${publicUrl} is the portal's own address, which every organization can use. Leave it out.`,
    ],
    [
      () =>
        setOrigins(acme.ctx, {
          addresses: ['https://admin.example:8443'],
          adminUrl: 'https://admin.example',
        }),
      'https://admin.example:8443 has the host name of PORTAL_ADMIN_URL, at which only the administration is answered. Use another host name.',
    ],
    [
      () => setOrigins(acme.ctx, { embedOrigins: ['https://a.example/x'] }),
      '"https://a.example/x" is not an origin. Write it like https://reports.example, without a path.',
    ],
    [
      () => createGroup(acme.ctx, { name: 'Leads', memberEmails: [], reports: [] }),
      'The group "Leads" exists already. Choose another name.',
    ],
    [
      () => addMembers(acme.ctx, { group: 'Nobody', memberEmails: [] }),
      'This organization has no group "Nobody". List its groups to see their names.',
    ],
    [
      () => linkGroups(acme.ctx, { datasetId: acme.datasetId, role: 'North', groups: [] }),
      `The dataset ${acme.datasetId} has no role named "North". GET /api/datasets/rls lists the roles.`,
    ],
    [
      () => revokeApiKey(acme.ctx, { id: acme.id }),
      `This organization has no API key ${acme.id}. List its keys to see their ids.`,
    ],
  ];
  for (const [change, message] of refusals)
    await expect(change()).rejects.toMatchObject({ message });
});

it('only an operator can change an organization', async () => {
  const { ctx, id } = portal.acme;
  const asKey = { ...ctx, actor: { ...keyActor(id), permissions: new Set(permissions) } };
  for (const change of [
    () => setOrigins(asKey, { embedOrigins: [] }),
    () => findOrigins(asKey),
    () => setUnappliedFilters(asKey, 'refuse'),
    () => deleteOrganization(asKey),
  ])
    await expect(change()).rejects.toMatchObject({ code: 'missing_permission' });
});

it('an administrator sets embed origins, but only an operator assigns addresses', async () => {
  const { ctx, address, embedOrigin } = portal.acme;
  const actor: UserActor = { kind: 'user', id: randomUUID(), email: 'ada@acme.example', role: 1 };
  const asAdministrator = { ...ctx, actor };
  const embedOrigins = [embedOrigin];
  for (const change of [{ addresses: [address] }, { addresses: [], embedOrigins }])
    await expect(setOrigins(asAdministrator, change)).rejects.toMatchObject({
      code: 'missing_permission',
    });
  expect(await findOrigins(ctx)).toMatchObject({ addresses: expect.arrayContaining([address]) });
  expect(await setOrigins(asAdministrator, { embedOrigins })).toEqual({ embedOrigins });
});

it('an organization is found by its slug, and by its ID in any letter case', async () => {
  const { acme, db } = portal;
  expect(await findOrganization(db, 'acme')).toBe(acme.id);
  expect(await findOrganization(db, acme.id.toUpperCase())).toBe(acme.id);
  expect(await findOrganization(db, 'ACME')).toBeUndefined();
  expect(await findOrganization(db, 'nobody')).toBeUndefined();
});

it('organizations are listed by slug, independent of the locale', async () => {
  const { db } = portal;
  for (const slug of ['b-1', 'b0', 'b-2'])
    await createOrganization(db, { slug, name: slug, accentColor: '#123456' });
  const organizations = await listOrganizations(db);
  expect(organizations.map(({ slug }) => slug)).toEqual(['acme', 'b-1', 'b-2', 'b0', 'globex']);
  expect(organizations[1]).toMatchObject({
    name: 'b-1',
    accent_color: '#123456',
    unapplied_filters: 'note',
    addresses: [],
    embed_origins: [],
  });
});
