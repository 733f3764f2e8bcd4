import { waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect } from 'vitest';

import { setClock } from './clock.ts';
import { startHostEndpoint } from './host-endpoint.ts';
import type { HostEndpoint } from './host-endpoint.ts';

export let host: HostEndpoint;

/** Sets up a clock and a host endpoint for each test. */
export function setUpEmbed() {
  setClock();
  beforeEach(async () => {
    host = await startHostEndpoint();
  });
  afterEach(async () => {
    await host.close();
  });
}

export const frames = () => [...document.querySelectorAll('iframe')];
export const frame = async (index = 0) =>
  waitFor(() => frames()[index] ?? Promise.reject(new Error('no frame')));
export const status = () =>
  document.querySelector('[data-portal-embed]')?.getAttribute('data-portal-embed');
export const waitForStatus = (expected: string) => waitFor(() => expect(status()).toBe(expected));
