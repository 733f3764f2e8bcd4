import { waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';

import { passTime, sent } from '../../test/clock.ts';
import {
  becomes,
  causes,
  embed,
  frameOf,
  host,
  mount,
  states,
  unmount,
  update,
  setStage,
} from '../../test/core-stage.ts';
import { refuse } from '../../test/host-endpoint.ts';
import { becomeReady } from '../../test/portal-page.ts';

setStage();

it('a render after a failure fetches nothing', async () => {
  host.answers.push(...Array.from({ length: 4 }, () => refuse(502, 'portal_unavailable')));
  mount();
  await becomes('failed');
  update({});
  await passTime();
  expect(sent).toHaveBeenCalledTimes(4);
});

describe('Retry-After', () => {
  it.each(['-5', '-1e9', 'soon', 'Fri, 20 Nov 2026 10:00:00 GMT', ''])(
    'is none: %s',
    async (retryAfter) => {
      host.answers.push(refuse(429, 'rate_limited', { 'retry-after': retryAfter }));
      mount();
      becomeReady(await frameOf(1));
      await becomes('ready');
      expect(host.requests).toHaveLength(2);
    },
  );

  it.each(['60', '1e99'])('of %s seconds is left to the reader', async (retryAfter) => {
    host.answers.push(refuse(429, 'rate_limited', { 'retry-after': retryAfter }));
    mount();
    await becomes('failed');
    expect(causes).toEqual(['rate_limited']);
    expect(host.requests).toHaveLength(1);
  });

  it('of a second is waited for', async () => {
    let refusedAt = NaN;
    let waitedMs = NaN;
    host.answers.push(
      (...answered) => {
        refusedAt = Date.now();
        refuse(429, 'rate_limited', { 'retry-after': '1' })(...answered);
      },
      (...answered) => {
        waitedMs = Date.now() - refusedAt;
        refuse(401, 'not_signed_in')(...answered);
      },
    );
    mount();
    await becomes('failed');
    expect(waitedMs).toBeGreaterThan(1_000);
  });
});

describe('has every attempt', () => {
  const fail = refuse(502, 'portal_unavailable');
  const failing = (times: number) =>
    host.answers.push(...Array.from({ length: times }, () => fail));

  it.each([
    ['when the browser is online again', () => window.dispatchEvent(new Event('online'))],
    ['when it is asked to refresh', () => embed.refresh()],
    ['when a refresh falls due', () => update({ refreshInterval: 10 })],
    [
      'when it is mounted again',
      () => {
        unmount!();
        mount();
      },
    ],
    ['for another report', () => update({ reportId: 'other' })],
  ])('%s', async (_, act) => {
    failing(4);
    mount();
    await becomes('failed');
    failing(3);
    act();
    becomeReady(await frameOf(1));
    await waitFor(() => expect(states).toContain('ready'));
    expect(causes).toEqual(['portal_unavailable']);
  });

  it('but no more, however long each of them takes', async () => {
    let hours = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => ++hours * 3_600_000);
    failing(9);
    mount();
    await becomes('failed');
    expect(host.requests).toHaveLength(4);
  });
});

it.each([-1, 0, NaN, Infinity])('a refreshInterval of %d is none', async (refreshInterval) => {
  mount({ refreshInterval });
  becomeReady(await frameOf(1));
  await becomes('ready');
  await passTime();
  expect(sent).toHaveBeenCalledOnce();
});
