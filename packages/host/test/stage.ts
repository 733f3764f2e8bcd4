import { startFakePortal } from 'test-support/fake-portal';
import type { FakePortal } from 'test-support/fake-portal';
import { afterEach, beforeEach } from 'vitest';

import type { Options } from './entry.ts';
import { startHostApp } from './host-app.ts';
import type { RunningApp } from './running-app.ts';

export let portal: FakePortal;
let app: RunningApp | undefined;

/** Starts `portal` anew for each test of the file, and stops it and the test's app. */
export function setStage(): void {
  beforeEach(async () => {
    portal = await startFakePortal();
  });
  afterEach(async () => {
    await app?.[Symbol.asyncDispose]();
    app = undefined;
    await portal[Symbol.asyncDispose]();
  });
}

/** Starts the host app of a test; one for each. */
export const start = async (options: Partial<Options> = {}): Promise<RunningApp> =>
  (app = await startHostApp(portal, options));
