import type { Express } from 'express';
import { startFakePortal } from 'testing/fake-portal';
import type { FakePortal } from 'testing/fake-portal';
import { afterEach, beforeEach } from 'vitest';

import type { PortalEmbedOptions, PortalUser } from '../src/index.ts';
import { startHostApp } from './host-app.ts';
import type { RunningApp } from './start-app.ts';

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

/** The host app of a test; one for each. */
export const start = async (
  options: Partial<PortalEmbedOptions<PortalUser>> = {},
  configure?: (host: Express) => void,
): Promise<RunningApp> => (app = await startHostApp(portal, options, configure));
