import { waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';

import { advanceClock, sent } from '../../test/clock.ts';
import {
  waitForStatus,
  causes,
  embed,
  frameOf,
  host,
  mount,
  states,
  unmount,
  update,
  setUpEmbed,
} from '../../test/core-stage.ts';
import { refuse } from '../../test/host-endpoint.ts';
import { makeReady } from '../../test/portal-page.ts';

setUpEmbed();

it('a render after a failure starts no request', async () => {
  host.answers.push(...Array.from({ length: 4 }, () => refuse(502, 'portal_unavailable')));
  mount();
  await waitForStatus('failed');
  update({});
  await advanceClock();
  expect(sent).toHaveBeenCalledTimes(4);
});

describe('Retry-After', () => {
  it.each(['-5', '-1e9', 'soon', 'Fri, 20 Nov 2026 10:00:00 GMT', ''])(
    'an invalid Retry-After is ignored: %s',
    async (retryAfter) => {
      host.answers.push(refuse(429, 'rate_limited', { 'retry-after': retryAfter }));
      mount();
      makeReady(await frameOf(1));
      await waitForStatus('ready');
      expect(host.requests).toHaveLength(2);
    },
  );

  it.each(['60', '1e99'])('a Retry-After of %s seconds is not waited for', async (retryAfter) => {
    host.answers.push(refuse(429, 'rate_limited', { 'retry-after': retryAfter }));
    mount();
    await waitForStatus('failed');
    expect(causes).toEqual(['rate_limited']);
    expect(host.requests).toHaveLength(1);
  });

  it('a Retry-After of one second is waited for', async () => {
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
    await waitForStatus('failed');
    expect(waitedMs).toBeGreaterThan(1_000);
  });
});

describe('the retry budget', () => {
  const fail = refuse(502, 'portal_unavailable');
  const failing = (times: number) =>
    host.answers.push(...Array.from({ length: times }, () => fail));

  it.each([
    ['when the browser is online', () => window.dispatchEvent(new Event('online'))],
    ['for refresh()', () => embed.refresh()],
    ['for refreshInterval', () => update({ refreshInterval: 10 })],
    [
      'when mounting again',
      () => {
        unmount!();
        mount();
      },
    ],
    ['for another report', () => update({ reportId: 'other' })],
  ])('is reset %s', async (_, act) => {
    failing(4);
    mount();
    await waitForStatus('failed');
    failing(3);
    act();
    makeReady(await frameOf(1));
    await waitFor(() => expect(states).toContain('ready'));
    expect(causes).toEqual(['portal_unavailable']);
  });

  it.each([
    [9_000, 'failed', 4],
    [10_500, 'loading', 5],
  ] as const)(
    'a report that is lost for the fourth time after %i visible milliseconds is %s',
    async (ms, status, requests) => {
      mount();
      const lose = async (token: number) => {
        const page = makeReady(await frameOf(token));
        await waitForStatus('ready');
        return () => page.send({ type: 'session-required', reason: 'reloaded' });
      };
      for (const token of [1, 2, 3]) (await lose(token))();
      const loseLast = await lose(4);
      await advanceClock(ms);
      loseLast();
      await waitForStatus(status);
      await waitFor(() => expect(host.requests).toHaveLength(requests));
      expect(causes).toEqual(status === 'failed' ? ['session_lost'] : []);
    },
  );

  it('is not reset by time alone', async () => {
    let hours = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => ++hours * 3_600_000);
    failing(9);
    mount();
    await waitForStatus('failed');
    expect(host.requests).toHaveLength(4);
  });
});

it.each([-1, 0, NaN, Infinity])(
  'a refreshInterval of %d means no refreshes',
  async (refreshInterval) => {
    mount({ refreshInterval });
    makeReady(await frameOf(1));
    await waitForStatus('ready');
    await advanceClock();
    expect(sent).toHaveBeenCalledOnce();
  },
);

it('a final failure is not requested again when the browser is online', async () => {
  host.answers.push(refuse(404, 'unknown_tenant'));
  mount();
  await waitForStatus('failed');
  window.dispatchEvent(new Event('online'));
  await advanceClock();
  expect(sent).toHaveBeenCalledOnce();
});

it('a refresh of refreshInterval that fails keeps the report', async () => {
  mount();
  makeReady(await frameOf(1));
  await waitForStatus('ready');
  host.answers.push(refuse(404, 'unknown_tenant'));
  await new Promise<void>((resolve) => {
    const onError = () => {
      update({});
      resolve();
    };
    update({ refreshInterval: 10, onError });
  });
  expect(states).toEqual(['minting', 'loading', 'ready', 'refreshing', 'ready']);
});
