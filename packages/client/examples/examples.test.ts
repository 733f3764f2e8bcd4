import { startOtherPortal } from 'testing/other-portal';
import type { OtherPortal } from 'testing/other-portal';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';

import type { PortalClient } from '../src/index.ts';
import { bringToState, connect, deleteIfThere, listReports, mint, onboard } from './first-steps.ts';

let other: OtherPortal;
let portal: PortalClient;
beforeAll(async () => {
  other = await startOtherPortal();
  vi.stubEnv('PORTAL_API_URL', other.apiUrl);
  vi.stubEnv('PORTAL_API_KEY', other.apiKey);
  portal = connect();
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await portal.close();
  await other[Symbol.asyncDispose]();
});

it('the first steps lead to a user who can open a report', async () => {
  await onboard(portal, 'west@acme.example', other.reportId);
  expect(await listReports(portal)).toContain(`${other.reportId} Orders`);
  const { embedUrl } = await mint(portal, 'west@acme.example', other.portalUrl);
  expect(embedUrl).toContain(other.portalUrl);
  expect(await deleteIfThere(portal, 'west@acme.example')).toBe(true);
  expect(await deleteIfThere(portal, 'west@acme.example')).toBe(false);
});

it('users are brought to their states', async () => {
  const lines: string[] = [];
  const state = (name: string) => ({
    email: `${name}@acme.example`,
    name,
    role: 3,
    reports: [other.reportId],
  });
  const users: Parameters<typeof bringToState>[1] = [state('a'), state('b'), state('c')];
  expect(await bringToState(portal, users, (line) => lines.push(line))).toEqual([]);
  expect(lines).toEqual(['4 calls to make', '1 of 4', '2 of 4', '3 of 4', '4 of 4']);
});
