import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import { createFindPortalOrigin } from './find-portal-origin.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('the portal’s origin is unknown after one second if the look-up of the tenant hangs', async () => {
  const tenants = () => new Promise<never>(() => {});
  const find = createFindPortalOrigin({ tenants }, 'portalCsp');
  const authority = { hostName: 'acme.example', origin: 'https://acme.example' };
  let isDone = false;
  const found = find({}, authority).finally(() => (isDone = true));
  await vi.advanceTimersByTimeAsync(999);
  expect(isDone).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(await found).toBeUndefined();
});
