import { act, screen } from '@testing-library/react';
import { expect, it, onTestFinished, vi } from 'vitest';

import { call } from './api/call.ts';
import { openAdmin, refuse, type Answers } from './test/open-admin.tsx';

/** Opens the list of companies with a clock that the test moves. */
async function openCompanies(listCompanies: NonNullable<Answers['listCompanies']>) {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  onTestFinished(() => void vi.useRealTimers());
  const { sent } = await openAdmin('/companies', { listCompanies });
  return {
    count: () => sent('listCompanies').length,
    passMinute: () => act(() => vi.advanceTimersByTimeAsync(60_000)),
  };
}

const unreachable = () => {
  throw new TypeError('fetch failed');
};
const failure = 'The portal did not answer. Check your connection, then try again.';

it('a request without an answer is repeated, and its failure is not shown before that', async () => {
  let left = 2;
  const { count, passMinute } = await openCompanies(() =>
    left-- > 0 ? unreachable() : { companies: [] },
  );
  expect(screen.queryByText(failure)).toBeNull();
  await passMinute();
  expect(await screen.findByText('No companies')).toBeVisible();
  expect(count()).toBe(3);
});

it('a portal that stays unreachable is tried three times', async () => {
  const { count, passMinute } = await openCompanies(unreachable);
  await passMinute();
  expect(await screen.findByText(failure)).toBeVisible();
  await passMinute();
  expect(count()).toBe(3);
});

it('a request that is refused is not repeated', async () => {
  const { count, passMinute } = await openCompanies(
    refuse(429, 'rate_limited', 'Too many requests.'),
  );
  expect(await screen.findByText('Too many requests.')).toBeVisible();
  await passMinute();
  expect(count()).toBe(1);
});

it('a request that its page has cancelled does not count as a failure of the portal', async () => {
  onTestFinished(() => void vi.unstubAllGlobals());
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('network')));
  await expect(call('readIdentity', {})).rejects.toThrow('unreachable');
  const cancelled = call('readIdentity', {}, AbortSignal.abort());
  await expect(cancelled).rejects.toThrow('network');
});
