import { checkPortalConformance, exitCodeOf, type Report } from '@portal-embed/conformance';
import { expect } from 'vitest';

import type { TestPortal } from './portal.ts';

/** The options of a check of Acme. */
export const optionsOf = ({ publicUrl, acme: { id, apiKey, address } }: TestPortal) => ({
  url: publicUrl,
  apiKey,
  organizationId: id,
  baseUrl: address,
});

export const brokenRules = ({ results }: Report) => results.filter(({ kind }) => kind === 'failed');

/** Everything that a check can change and must restore; the access log keeps its entries. */
export async function readState({ api, db }: TestPortal) {
  const urls = await db.selectFrom('identity_urls').select('token_hash').execute();
  const [users, roles] = await Promise.all(
    ['/api/user', '/api/datasets/rls'].map(async (path) => (await api('GET', path)).json()),
  );
  return { users, roles, urls: urls.length };
}

/** Interrupts a check after a number of requests, and expects that nothing of it is left. */
export async function expectNoRemains(portal: TestPortal, requests: number): Promise<void> {
  const before = await readState(portal);
  const controller = new AbortController();
  const sent = portal.log.length;
  const timer = setInterval(() => {
    if (portal.log.length - sent >= requests) controller.abort();
  }, 1);
  const report = await checkPortalConformance({
    ...optionsOf(portal),
    write: true,
    signal: controller.signal,
  });
  clearInterval(timer);
  expect(brokenRules(report)).toEqual([]);
  expect(report).toMatchObject({ isComplete: false, leftovers: [] });
  expect(exitCodeOf(report)).toBe(2);
  expect(await readState(portal)).toEqual(before);
}
