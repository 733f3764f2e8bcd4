import { describe, expect, it } from 'vitest';

import {
  waitForStatus,
  embed,
  filters,
  frameOf,
  host,
  mount,
  position,
  unmount,
  setUpEmbed,
} from '../../test/core-stage.ts';
import { makeReady, simulatePortalPage } from '../../test/portal-page.ts';
import type { EmbedOptions } from './options.ts';

setUpEmbed();

describe('mounting again', () => {
  const reopen = async (next: EmbedOptions) => {
    mount({ reportId: 'r' });
    makeReady(await frameOf(1), position);
    await waitForStatus('ready');
    unmount!();
    mount({ reportId: 'r', ...next });
    return simulatePortalPage(await frameOf(2)).boot().position;
  };

  it('restores the position for the same request', async () => {
    expect(await reopen({})).toEqual(position);
  });

  it('with another report does not restore the position', async () => {
    expect(await reopen({ reportId: 'other' })).toEqual({});
  });

  it('restores the position for a request with other filters', async () => {
    expect(await reopen({ customFilters: filters })).toEqual(position);
  });

  it('keeps the filters of setFilters', async () => {
    mount();
    makeReady(await frameOf(1));
    await waitForStatus('ready');
    embed.setFilters(filters);
    unmount!();
    mount();
    await frameOf(2);
    expect(host.requests[1]).toEqual({ customFilters: filters });
  });
});
