import type { FakePortal } from 'test-support/fake-portal';

import type { Limits, Tenant } from '../src/index.ts';
import { startEntry } from './entry.ts';
import type { Options } from './entry.ts';
import type { RunningApp } from './running-app.ts';

export const apiKey = 'pk_secret_of_acme';
export const organizationId = '11111111-0000-4000-8000-000000000001';
export const portalUrl = 'http://acme.portal.localhost:4000';

/** The tenant of `acme.localhost`, whose portal is the given one. */
export const acme = (portal: FakePortal, changes: Partial<Tenant> = {}): Tenant => ({
  apiUrl: portal.url,
  apiKey,
  organizationId,
  portalUrl,
  ...changes,
});

/** A host app where west@acme.example is signed in, unless the options say otherwise. */
export const startHostApp = (
  portal: FakePortal,
  options: Partial<Options> = {},
): Promise<RunningApp> => startEntry({ ...createOptions(portal), ...withTime(options) });

export const createOptions = (portal: FakePortal) => ({
  tenants: { 'acme.localhost': acme(portal) },
  user: () => ({ email: 'west@acme.example' }),
  // Failures would otherwise be printed.
  onError: () => {},
  limits: longLimits,
});

// No machine is slow enough to reach it, so any earlier end has another cause.
const longLimits = { timeoutMs: 60_000 };

/** Gives options a deadline that no slow machine reaches, unless they set their own. */
export const withTime = <Given extends { limits?: Partial<Limits> | undefined }>(
  options: Given,
) => ({
  ...options,
  limits: { ...longLimits, ...options.limits },
});
