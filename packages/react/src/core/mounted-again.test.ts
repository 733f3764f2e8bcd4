import { describe, expect, it } from 'vitest';

import {
  becomes,
  embed,
  filters,
  frameOf,
  host,
  mount,
  place,
  unmount,
  setStage,
} from '../../test/core-stage.ts';
import { becomeReady, playPortalPage } from '../../test/portal-page.ts';
import type { EmbedOptions } from './options.ts';

setStage();

describe('mounted again', () => {
  const reopen = async (next: EmbedOptions) => {
    mount({ reportId: 'r' });
    becomeReady(await frameOf(1), place);
    await becomes('ready');
    unmount!();
    mount({ reportId: 'r', ...next });
    return playPortalPage(await frameOf(2)).boot().connected?.state;
  };

  it('brings the reader back to the place of the same request', async () => {
    expect(await reopen({})).toEqual(place);
  });

  it('forgets the place of another report', async () => {
    expect(await reopen({ reportId: 'other' })).toBeUndefined();
  });

  it('brings the reader back to the place of a request with other filters', async () => {
    expect(await reopen({ customFilters: filters })).toEqual(place);
  });

  it('keeps the filters that were set since', async () => {
    mount();
    becomeReady(await frameOf(1));
    await becomes('ready');
    embed.setFilters(filters);
    unmount!();
    mount();
    await frameOf(2);
    expect(host.requests[1]).toEqual({ customFilters: filters });
  });
});
