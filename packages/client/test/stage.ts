import { startFakePortal } from 'test-support/fake-portal';
import type { FakePortal } from 'test-support/fake-portal';
import { afterEach, beforeEach, expect } from 'vitest';

import { createPortalClient, PortalApiError } from '../src/index.ts';
import type { PortalClient } from '../src/index.ts';

export const apiKey = 'pk_a_very_secret_key';
export const id = '6a1f4c1e-0000-4000-8000-000000000001';
export const userEmail = "o'hara+west@acme.example";

export let portal: FakePortal;
export let client: PortalClient;

/** Starts a new `portal` and `client` for each test of the file. */
export function startPortalForEachTest(): void {
  beforeEach(async () => {
    portal = await startFakePortal();
    client = createPortalClient({ apiUrl: `${portal.url}/prefix/`, apiKey });
  });
  afterEach(async () => {
    await client.close();
    await portal[Symbol.asyncDispose]();
  });
}

/** Returns the `PortalApiError` that a call rejects with. */
export const catchError = async (promise: Promise<unknown>): Promise<PortalApiError> => {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(PortalApiError);
  return error as PortalApiError;
};
