import express from 'express';
import type { Express } from 'express';
import { startFakePortal } from 'test-support/fake-portal';
import type { FakePortal } from 'test-support/fake-portal';
import { afterEach, beforeEach } from 'vitest';

import { createOptions, withTime } from '../../host/test/host-app.ts';
import { serve } from '../../host/test/running-app.ts';
import type { RunningApp } from '../../host/test/running-app.ts';
import { portalEmbed } from '../src/index.ts';
import type { PortalEmbedOptions, PortalUser } from '../src/index.ts';

export { acme, organizationId } from '../../host/test/host-app.ts';
export type { RunningApp, SendInput } from '../../host/test/running-app.ts';

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

/** Serves an Express application. */
export function startApp(configure: (host: Express) => void): Promise<RunningApp> {
  const host = express();
  configure(host);
  return serve(host);
}

/** Starts the Express application of a test, with middleware in front of portalEmbed. */
export const start = async (
  options: Partial<PortalEmbedOptions<PortalUser>> = {},
  configure: (host: Express) => void = () => {},
): Promise<RunningApp> =>
  (app = await startApp((host) => {
    configure(host);
    host.use('/portal-embed', portalEmbed({ ...createOptions(portal), ...withTime(options) }));
  }));
