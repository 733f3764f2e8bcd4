import {
  checkPortalConformance,
  exitCodeOf,
  type Report,
  type Result,
} from '@portal-embed/conformance';
import { permissions } from '@portal-embed/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { createApiKey } from '../../src/api-keys/service.ts';
import { brokenRules, expectNoRemains, optionsOf, readState } from '../support/conformance.ts';
import { startTestPortal, type TestPortal } from '../support/portal.ts';

let portal: TestPortal;

beforeAll(async () => {
  portal = await startTestPortal();
});
afterAll(() => portal.close());

const idsOf = (kind: Result['kind'], { results }: Report) =>
  results.filter((each) => each.kind === kind).map(({ id }) => id);

describe('the portal', () => {
  it('breaks no rule that can be checked by reading', async () => {
    const report = await checkPortalConformance(optionsOf(portal));
    expect(brokenRules(report)).toEqual([]);
    expect(idsOf('passed', report).length).toBeGreaterThan(50);
  });

  it('breaks no rule at all, and keeps nothing of the check', async () => {
    const { ctx } = portal.acme;
    const { key: limitedKey } = await createApiKey(ctx, {
      name: 'limited',
      permissions: ['reports:read', 'identity:mint'],
    });
    const before = await readState(portal);
    const report = await checkPortalConformance({
      ...optionsOf(portal),
      write: true,
      limitedKey,
    });
    expect(brokenRules(report)).toEqual([]);
    expect(report).toMatchObject({ isComplete: true, leftovers: [] });
    expect(exitCodeOf(report)).toBe(0);
    expect(await readState(portal)).toEqual(before);
    // What no program can see, and what takes minutes.
    expect(idsOf('skipped', report)).toEqual([
      'authentication.settings',
      'identity.expires',
      'identity.user',
      'identity.flags-apply',
      'reports.platform',
    ]);
  });

  it.each(['users:read', 'report-access:write', 'rls:write', 'identity:mint'] as const)(
    'breaks no rule for a key without %s, and the reason of skipped rules names it',
    async (permission) => {
      const granted = permissions.filter((each) => each !== permission);
      const { key } = await createApiKey(portal.acme.ctx, { name: 'key', permissions: granted });
      const before = await readState(portal);
      const report = await checkPortalConformance({
        ...optionsOf(portal),
        apiKey: key,
        write: true,
      });
      expect(brokenRules(report)).toEqual([]);
      expect(report.results).toContainEqual(
        expect.objectContaining({
          kind: 'skipped',
          got: expect.stringContaining(`lacks the permission ${permission}.`),
        }),
      );
      expect(report).toMatchObject({ isComplete: false, leftovers: [] });
      expect(exitCodeOf(report)).toBe(2);
      expect(await readState(portal)).toEqual(before);
    },
  );

  it('is not checked with a key that may only mint, and the reason names a call and its permission', async () => {
    const { key } = await createApiKey(portal.acme.ctx, {
      name: 'mint',
      permissions: ['identity:mint'],
    });
    await expect(
      checkPortalConformance({ ...optionsOf(portal), apiKey: key, write: true }),
    ).rejects.toThrow(
      'refuses the key at all lists. GET /api/user: 403, This API key lacks the permission users:read. Use a key that has it. Check the key: it must be able to read at least one list.',
    );
  });

  it('keeps nothing of a check that is interrupted', () => expectNoRemains(portal, 60));

  it('keeps nothing of a check that reaches its limit of requests', async () => {
    const before = await readState(portal);
    const limits = { maxRequests: 60 };
    const report = await checkPortalConformance({ ...optionsOf(portal), write: true, limits });
    expect(report).toMatchObject({ isComplete: false, leftovers: [] });
    expect(await readState(portal)).toEqual(before);
  });
});
