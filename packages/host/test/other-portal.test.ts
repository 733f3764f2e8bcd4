import { startOtherPortal } from 'test-support/other-portal';
import type { OtherPortal } from 'test-support/other-portal';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { startEntry } from './entry.ts';
import type { Options } from './entry.ts';

let portal: OtherPortal;
beforeEach(async () => {
  portal = await startOtherPortal();
});
afterEach(() => portal[Symbol.asyncDispose]());

const start = (options: Partial<Options> = {}) => {
  const { apiUrl, apiKey, organizationId, portalUrl } = portal;
  const tenants = { 'acme.localhost': { apiUrl, apiKey, organizationId, portalUrl } };
  const user = () => ({ email: 'west@acme.example' });
  return startEntry({ tenants, user, ...options });
};

describe('a portal of another vendor, whose errors have no codes', () => {
  it('answers no_portal_user for a user whom it does not know', async () => {
    await using app = await start();
    expect(await app.mint()).toMatchObject({ status: 403, json: { code: 'no_portal_user' } });
  });

  it('accepts users whom the host provisions', async () => {
    const reports = [portal.reportId];
    await using app = await start({ provision: () => ({ name: 'West', role: 3, reports }) });
    expect((await app.mint()).status).toBe(200);
  });
});
