import {
  checkHostConformance,
  checkPortalConformance,
  exitCodeOf,
  type Report,
} from '@portal-embed/conformance';
import { hostFaults, portalFaults } from 'test-support/conformance-faults';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { createApiKey } from '../../src/api-keys/service.ts';
import { startFaultyServers, type FaultyServers } from '../support/faulty-servers.ts';

let servers: FaultyServers;
let limitedKey: string;
beforeAll(async () => {
  servers = await startFaultyServers();
  const { ctx } = servers.portal.acme;
  const permissions = ['users:read' as const];
  ({ key: limitedKey } = await createApiKey(ctx, { name: 'limited', permissions }));
});
afterAll(() => servers.close());

const checkPortal = () => {
  const { portal, portalProxy } = servers;
  const { apiKey, id: organizationId, address } = portal.acme;
  return checkPortalConformance({
    url: portalProxy.at(portal.publicUrl),
    apiKey,
    limitedKey,
    organizationId,
    baseUrl: portalProxy.at(address),
    filter: { key: 'Orders/Category', value: 'Desks' },
    write: true,
  });
};

const checkHost = () => {
  const { hostUrl, hostContext, portal } = servers;
  const { emails, reportId } = portal.acme;
  return checkHostConformance({
    url: hostUrl,
    session: hostContext.signIn(emails.west),
    reportId,
  });
};

/** The broken rules, with what was found, and what a run left behind. */
const broken = ({ results, leftovers }: Report) => [
  ...results.flatMap(({ id, kind, got }) => (kind === 'failed' ? [`${id}: ${got}`] : [])),
  ...leftovers,
];

type Misses<Id extends string> = Partial<Record<Id, string>>;

/** Faults that the kit does not find, with the reason. */
const portalMisses: Misses<(typeof portalFaults)[number]['id']> = {};
const hostMisses: Misses<(typeof hostFaults)[number]['id']> = {};

describe.each([
  ['portal', checkPortal, portalFaults, portalMisses] as const,
  ['host', checkHost, hostFaults, hostMisses] as const,
])('the conformance kit for a %s', (kind, check, faults, misses: Misses<string>) => {
  it('finds nothing if there is no fault', async () => {
    const report = await check();
    expect(broken(report)).toEqual([]);
    expect(exitCodeOf(report)).toBe(0);
  });

  it.each(
    faults.map(
      ({ id, ...fault }) => [id, id in misses ? 'is not found' : 'is found', fault] as const,
    ),
  )('the fault %s %s', async (id, _, { plant }) => {
    const proxy = servers[`${kind}Proxy`];
    proxy.plant(
      (plant as (context: unknown) => ReturnType<typeof plant>)(servers[`${kind}Context`]),
    );
    const report = await check().finally(() => proxy.plant(undefined));
    console.log(id, exitCodeOf(report), Math.round(report.durationMs), broken(report));
    expect(broken(report).length > 0).toBe(!(id in misses));
  });

  it('finds nothing after the faults are gone', async () => {
    expect(broken(await check())).toEqual([]);
  });
});
