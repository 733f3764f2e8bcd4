import {
  checkHostConformance,
  checkPortalConformance,
  exitCodeOf,
  type PortalOptions,
  type Report,
} from '@portal-embed/conformance';
import {
  hostFaults,
  hostMisses,
  portalFaults,
  portalMisses,
} from 'test-support/conformance-faults';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { createApiKey } from '../../src/api-keys/service.ts';
import { brokenRules, optionsOf } from '../support/conformance.ts';
import { startFaultyServers, type FaultyServers } from '../support/faulty-servers.ts';

let servers: FaultyServers;
let limitedKey: string;
beforeAll(async () => {
  servers = await startFaultyServers();
  const { ctx } = servers.portal.acme;
  const permissions = ['users:read'] as const;
  ({ key: limitedKey } = await createApiKey(ctx, { name: 'limited', permissions }));
});
afterAll(() => servers.close());

function checkPortal(more: Partial<PortalOptions> = {}): Promise<Report> {
  const { portal, portalProxy } = servers;
  const { url, baseUrl, ...options } = optionsOf(portal);
  return checkPortalConformance({
    ...options,
    url: portalProxy.at(url),
    baseUrl: portalProxy.at(baseUrl),
    limitedKey,
    filter: { key: 'Orders/Category', value: 'Desks' },
    write: true,
    ...more,
  });
}

function checkHost(): Promise<Report> {
  const { hostUrl, otherHostUrl, hostContext, portal } = servers;
  const { emails, reportId } = portal.acme;
  return checkHostConformance({
    url: hostUrl,
    otherUrl: otherHostUrl,
    session: hostContext.signIn(emails.west),
    reportId,
  });
}

describe.each([
  ['portal', () => checkPortal(), portalFaults, portalMisses] as const,
  ['host', checkHost, hostFaults, hostMisses] as const,
])(
  'the conformance kit for a %s',
  (kind, check, faults, misses: Partial<Record<string, string>>) => {
    const findBroken = async () => {
      const report = await check();
      return { ids: brokenRules(report).map(({ id }) => id), exitCode: exitCodeOf(report) };
    };
    const nothing = { ids: [], exitCode: 0 };
    const something = { ids: expect.arrayContaining([expect.any(String)]), exitCode: 1 };

    it('finds nothing if there is no fault', async () => {
      expect(await findBroken()).toEqual(nothing);
    });

    const cases = faults.map(({ id, plant }) => {
      const isMissed = id in misses;
      const expected = isMissed ? nothing : something;
      return [id, isMissed ? 'is not found' : 'is found', { plant, expected }] as const;
    });
    it.each(cases)('the fault %s %s', async (id, _, { plant, expected }) => {
      const proxy = servers[`${kind}Proxy`];
      proxy.plant(plant(servers[`${kind}Context`] as never));
      const broken = await findBroken().finally(() => proxy.plant(undefined));
      console.log(`${id}: ${broken.ids.join(', ') || 'not found'}`);
      expect(broken).toEqual(expected);
    });

    it('finds nothing after the faults are gone', async () => {
      expect(await findBroken()).toEqual(nothing);
    });
  },
);

it('the option `slow` finds a URL that opens after its expiry, and only then', async () => {
  const { portal, portalProxy, portalContext } = servers;
  const { results } = await checkPortal();
  const skip = results.map(({ id }) => id).filter((id) => id !== 'identity.expires');
  const fault = portalFaults.find(({ id }) => id === 'token-outlives-expiry')!;
  portalProxy.plant(fault.plant(portalContext));
  const [faulty, sound] = await Promise.all([
    checkPortal({ slow: true, skip }),
    checkPortal({ slow: true, skip, ...optionsOf(portal) }),
  ]).finally(() => portalProxy.plant(undefined));
  const verdictOf = (report: Report) =>
    report.results
      .filter(({ id }) => id === 'identity.expires')
      .map(({ kind, got }) => [kind, got]);
  expect(verdictOf(faulty)).toEqual([['failed', 'it answers 200']]);
  expect(verdictOf(sound)).toEqual([['passed', 'refused with 410']]);
});
