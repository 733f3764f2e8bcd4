import { randomUUID } from 'node:crypto';

import { afterAll, beforeAll, expect, it } from 'vitest';

import type { ConnectionSettings } from '#report-engine';

import { presentActivity } from '../../src/activity-log/presenter.ts';
import { listActivity, recordRefusal } from '../../src/activity-log/service.ts';
import {
  grantConnection,
  listConnections,
  revokeConnection,
} from '../../src/connections/service.ts';
import { listGranted } from '../../src/connections/store.ts';
import { deleteOrganization } from '../../src/organizations/service.ts';
import { keyActor } from '../support/actors.ts';
import { createTestOrganization } from '../support/organization.ts';
import { startTestPortal, type TestPortal } from '../support/portal.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await startTestPortal();
});
afterAll(() => portal.close());

const password = 'correct-horse';
const define = (...names: string[]): ConnectionSettings[] =>
  names.map((name) => ({ name, engine: 'postgres', url: `postgres://u:${password}@db/${name}` }));

const grant = (
  organization: 'acme' | 'globex',
  name: string,
  { shared = false, connections = define(name) } = {},
) => grantConnection(portal[organization].ctx, connections, { name, shared });

const organizationsOf = async (name: string) =>
  (await listConnections(portal.db, [])).find((each) => each.name === name)?.organizations;

it('a grant is for one organization until it is revoked', async () => {
  for (const name of ['one', 'another']) await grant('acme', name);
  expect(await listGranted(portal.db, portal.acme.id)).toEqual(new Set(['one', 'another']));
  expect(await listGranted(portal.db, portal.globex.id)).toEqual(new Set());
  await revokeConnection(portal.acme.ctx, 'one');
  expect(await listGranted(portal.db, portal.acme.id)).toEqual(new Set(['another']));
  await revokeConnection(portal.acme.ctx, 'another');
  await expect(revokeConnection(portal.acme.ctx, 'one')).rejects.toMatchObject({
    code: 'connection_not_granted',
  });
});

it('a connection of another organization is granted only as shared', async () => {
  await grant('acme', 'two');
  await grant('acme', 'two');
  await expect(grant('globex', 'two')).rejects.toMatchObject({
    code: 'connection_granted',
    message: expect.stringContaining('"two" is already granted to acme'),
  });
  expect(await organizationsOf('two')).toEqual(['acme']);
  await grant('globex', 'two', { shared: true });
  await grant('globex', 'two', { shared: true });
  expect(await organizationsOf('two')).toEqual(['acme', 'globex']);
});

it('a revoked connection stays granted to other organizations', async () => {
  for (const organization of ['globex', 'acme'] as const)
    await grant(organization, 'nine', { shared: true });
  expect(await organizationsOf('nine')).toEqual(['acme', 'globex']);
  await revokeConnection(portal.acme.ctx, 'nine');
  expect(await organizationsOf('nine')).toEqual(['globex']);
});

it('of two organizations that are granted a connection at the same time, one is refused', async () => {
  const names = Array.from({ length: 20 }, (_, index) => `both-${index}`);
  const outcomes = await Promise.all(
    names.map((name) => Promise.allSettled([grant('acme', name), grant('globex', name)])),
  );
  for (const pair of outcomes)
    expect(pair.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  for (const name of names) expect(await organizationsOf(name)).toHaveLength(1);
});

it('only a connection of the environment is granted, but any grant is revoked', async () => {
  await expect(
    grant('acme', 'four', { connections: define('fore', 'five') }),
  ).rejects.toMatchObject({
    code: 'connection_not_found',
    message: 'Unknown connection "four". Connections: five, fore.',
  });
  for (const [connections, advice] of [
    [define('five'), 'Connections: five.'],
    [[], 'Define connections as PORTAL_CONNECTION_NAME.'],
  ] as const)
    await expect(grant('acme', 'four', { connections: [...connections] })).rejects.toThrow(advice);
  await grant('acme', 'four');
  const listed = await listConnections(portal.db, define('five'));
  expect(listed.filter(({ name }) => name.startsWith('f'))).toEqual([
    { name: 'five', settings: expect.objectContaining({ name: 'five' }), organizations: [] },
    { name: 'four', settings: undefined, organizations: ['acme'] },
  ]);
  await revokeConnection(portal.acme.ctx, 'four');
  expect(await organizationsOf('four')).toBeUndefined();
});

it('connections are listed by name, whether they are defined or only granted', async () => {
  await grant('acme', 'ten-b');
  const listed = await listConnections(portal.db, define('ten-c', 'ten-a'));
  const names = listed.map(({ name }) => name).filter((name) => name.startsWith('ten'));
  expect(names).toEqual(['ten-a', 'ten-b', 'ten-c']);
});

it('an API key can neither grant nor revoke', async () => {
  const ctx = { ...portal.acme.ctx, actor: keyActor(randomUUID()) };
  const input = { name: 'six', shared: true };
  const refused = { code: 'missing_permission' };
  await expect(grantConnection(ctx, define('six'), input)).rejects.toMatchObject(refused);
  await expect(revokeConnection(ctx, 'six')).rejects.toMatchObject(refused);
});

it('the activity log has grants, revocations and refusals, without addresses', async () => {
  const { ctx } = portal.globex;
  const activity = { action: 'revokeConnection', subject: 'seven' } as const;
  await grant('globex', 'seven', { shared: true });
  await revokeConnection(ctx, 'seven');
  await recordRefusal(ctx, activity, () => revokeConnection(ctx, 'seven')).catch(() => {});
  const entries = (await listActivity(ctx, { limit: 3 })).map(presentActivity);
  expect(entries).toMatchObject([
    { action: 'revokeConnection', subject: 'seven', refusal: 'connection_not_granted' },
    { action: 'revokeConnection', subject: 'seven', refusal: null },
    { action: 'grantConnection', subject: 'seven', details: { shared: true }, refusal: null },
  ]);
  expect(JSON.stringify(entries)).not.toContain(password);
});

it('the grants of a deleted organization are deleted', async () => {
  const { ctx } = await createTestOrganization(portal, 'initech');
  await grantConnection(ctx, define('eight'), { name: 'eight', shared: false });
  await deleteOrganization(ctx);
  expect(await organizationsOf('eight')).toBeUndefined();
});
