import { checkPortalConformance, exitCodeOf, type Report } from '@portal-embed/conformance';
import { portalFaults } from 'test-support/conformance-faults';
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

const broken = ({ results, leftovers }: Report) => [
  ...results.flatMap(({ id, kind, got }) => (kind === 'failed' ? [`${id}: ${got}`] : [])),
  ...leftovers,
];

/** Faults that the kit does not find, with the reason. */
const portalMisses: Partial<Record<(typeof portalFaults)[number]['id'], string>> = {};

describe('the conformance kit for portals', () => {
  it('finds nothing in a portal without a fault', async () => {
    const report = await checkPortal();
    for (const { id, kind, got } of report.results)
      if (kind !== 'passed') console.log(id, kind, got);
    expect(broken(report)).toEqual([]);
    expect(exitCodeOf(report)).toBe(0);
  });

  it.each(portalFaults.map(({ id, plant }) => [id, plant] as const))(
    'finds the fault %s, or its miss is known',
    async (id, plant) => {
      servers.portalProxy.plant(plant(servers.portalContext));
      const report = await checkPortal().finally(() => servers.portalProxy.plant(undefined));
      console.log(id, exitCodeOf(report), Math.round(report.durationMs), broken(report));
      expect(exitCodeOf(report)).toBe(id in portalMisses ? 0 : 1);
    },
  );

  it('finds nothing after the faults are gone', async () => {
    expect(broken(await checkPortal())).toEqual([]);
  });
});
