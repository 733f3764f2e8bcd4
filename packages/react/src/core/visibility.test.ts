import { waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';

import { passTime, sent } from '../../test/clock.ts';
import {
  becomes,
  causes,
  embed,
  frameOf,
  host,
  mount,
  update,
  setStage,
} from '../../test/core-stage.ts';
import { refuse } from '../../test/host-endpoint.ts';
import { becomeReady } from '../../test/portal-page.ts';

setStage();

describe('scrolling', () => {
  let look: (isIntersecting: boolean) => void;
  beforeEach(() => {
    vi.stubGlobal(
      'IntersectionObserver',
      class {
        constructor(act: (entries: { isIntersecting: boolean }[]) => void) {
          look = (isIntersecting) => act([{ isIntersecting }]);
        }
        observe() {
          look(false);
        }
        disconnect() {}
      },
    );
  });
  const scrollPast = async () => {
    look(false);
    look(true);
    await passTime();
  };

  it.each([false, true])('fetches nothing after a failure (lazy: %s)', async (lazy) => {
    host.answers.push(refuse(429, 'rate_limited', { 'retry-after': '120' }));
    mount({ lazy });
    look(true);
    await becomes('failed');
    await scrollPast();
    expect(sent).toHaveBeenCalledOnce();
    update({ lazy: !lazy });
    await scrollPast();
    expect(sent).toHaveBeenCalledOnce();
  });

  it('fetches nothing after a refresh that failed', async () => {
    mount({ lazy: true });
    look(true);
    becomeReady(await frameOf(1));
    await becomes('ready');
    host.answers.push(refuse(429, 'rate_limited', { 'retry-after': '120' }));
    embed.refresh();
    await waitFor(() => expect(causes).toEqual(['rate_limited']));
    await scrollPast();
    expect(sent).toHaveBeenCalledTimes(2);
  });

  it('back finds what failed out of view tried again, once the page was online', async () => {
    host.answers.push(refuse(429, 'rate_limited', { 'retry-after': '120' }));
    mount({ lazy: true });
    look(true);
    await becomes('failed');
    look(false);
    window.dispatchEvent(new Event('online'));
    await passTime();
    expect(sent).toHaveBeenCalledOnce();
    look(true);
    becomeReady(await frameOf(1));
    await becomes('ready');
  });

  it('away rests a lazy embed, which catches up on a refresh when seen again', async () => {
    mount({ lazy: true, refreshInterval: 100, onReady: () => look(false) });
    look(true);
    becomeReady(await frameOf(1));
    await becomes('ready');
    await passTime();
    expect(sent).toHaveBeenCalledOnce();
    look(true);
    becomeReady(await frameOf(2));
    await becomes('ready');
  });

  it('into view fetches nothing after a refresh()', async () => {
    mount({ lazy: true });
    embed.refresh();
    becomeReady(await frameOf(1));
    await becomes('ready');
    look(true);
    await passTime();
    expect(host.requests).toHaveLength(1);
  });

  it('away fetches nothing for another report', async () => {
    mount({ lazy: true, reportId: 'a' });
    update({ lazy: true, reportId: 'b' });
    await passTime();
    expect(sent).not.toHaveBeenCalled();
    look(true);
    await frameOf(1);
    expect(host.requests).toEqual([{ reportId: 'b' }]);
  });

  it('does not matter once lazy is turned off', async () => {
    mount({ lazy: true });
    await passTime();
    expect(sent).not.toHaveBeenCalled();
    update({ lazy: false });
    await frameOf(1);
    expect(host.requests).toHaveLength(1);
  });
});

it('fetches nothing for a hidden page until it is seen', async () => {
  const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
  mount();
  await passTime();
  expect(sent).not.toHaveBeenCalled();
  hidden.mockReturnValue(false);
  document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
  becomeReady(await frameOf(1));
  await becomes('ready');
});
