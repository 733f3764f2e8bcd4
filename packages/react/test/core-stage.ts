import { waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, vi } from 'vitest';

import { createEmbed } from '../src/core/embed.ts';
import type { Embed } from '../src/core/embed.ts';
import type { EmbedError } from '../src/core/error.ts';
import type { EmbedOptions, EmbedState } from '../src/core/options.ts';
import { setClock } from './clock.ts';
import { startHostEndpoint } from './host-endpoint.ts';
import type { HostEndpoint } from './host-endpoint.ts';

export let host: HostEndpoint;
export let container: HTMLElement;
export let embed: Embed;
export let states: EmbedState['status'][];
export let causes: string[];
export let unmount: (() => void) | undefined;
const callbacks = {
  onError: (error: EmbedError) => causes.push(error.cause),
};

/** Sets up a clock, a host endpoint and an unmounted embed for each test. */
export function setUpEmbed() {
  setClock();
  beforeEach(async () => {
    host = await startHostEndpoint();
    container = document.createElement('div');
    document.body.append(container);
    states = [];
    causes = [];
    embed = createEmbed(({ status }) => states.push(status));
    vi.spyOn(Math, 'random').mockReturnValue(0);
  });
  afterEach(async () => {
    unmount?.();
    unmount = undefined;
    container.remove();
    vi.unstubAllGlobals();
    await host.close();
  });
}

export const mount = (options: EmbedOptions = {}) => {
  embed.update({ endpoint: host.url, ...callbacks, ...options });
  unmount = embed.mount(container);
};
export const update = (options: EmbedOptions) =>
  embed.update({ endpoint: host.url, ...callbacks, ...options });
export const frames = () => [...container.querySelectorAll('iframe')];
export const frameOf = (token: number) =>
  waitFor(() => {
    const found = frames().find(
      ({ src }) => new URL(src).searchParams.get('token') === String(token),
    );
    if (!found) throw new Error(`Frame ${token} does not exist yet.`);
    return found;
  });
export const waitForStatus = (status: EmbedState['status']) =>
  waitFor(() => expect(states.at(-1)).toBe(status));

export const position = { view: 'page-two', scroll: 120 };
export const filters = [{ key: 'A', value: 'b' }];
