import { expect, it, vi } from 'vitest';

import { createEmbedError } from './error.ts';
import { canRetry, computePause, computeStatus, initialState, reduce } from './state.ts';
import type { LoadEvent, LoadEvents, LoadState } from './state.ts';

const run = (...events: (LoadEvent | [LoadEvent, LoadEvents[LoadEvent], number?])[]) =>
  events.reduce<LoadState>((state, event) => {
    const [type, detail, now = 0] = Array.isArray(event) ? event : [event, undefined];
    return reduce(state, type, detail as never, now);
  }, initialState);

const shown = ['mounted', 'started', 'minted', 'shown'] as const;
const lost = createEmbedError('session_lost');
const refused = createEmbedError('forbidden');

it.each([
  [[], undefined],
  [['mounted'], undefined],
  [['mounted', 'started'], 'minting'],
  [['mounted', 'started', 'minted'], 'loading'],
  [[...shown], 'ready'],
  [[...shown, ['requested', false], 'started'], 'refreshing'],
  [[...shown, ['lost', false, 1], ['retried', lost]], 'minting'],
  [[...shown, ['lost', true, 1], ['retried', lost]], 'refreshing'],
  [[...shown, 'requested', 'started', ['failed', lost]], 'ready'],
  [[...shown, ['requested', true], 'started', ['failed', lost]], 'failed'],
  [[...shown, 'requested', 'started', ['failed', refused]], 'failed'],
  [[...shown, ['requested', false]], 'ready'],
  [['mounted', 'started', ['failed', refused], 'requested'], 'failed'],
  [['mounted', 'started', ['failed', refused], 'requested', 'started', 'requested'], undefined],
  [
    [...shown, ['requested', true], ...shown.slice(1), 'requested', 'started', ['failed', lost]],
    'ready',
  ],
  [[...shown, ['lost', true, 1], 'requested', 'started', ['failed', lost]], 'failed'],
] as [Parameters<typeof run>, string | undefined][])(
  'after %j the status is %s',
  (events, status) => {
    const state = run(...events);
    expect(state.phase === 'unmounted' ? undefined : computeStatus(state)).toBe(status);
  },
);

it.each(['started', 'minted', 'shown', 'elapsed', 'requested', 'lost', 'failed'] as const)(
  'an unmounted embed ignores %s',
  (type) => {
    expect(reduce(initialState, type, lost as never, 0)).toBe(initialState);
  },
);

it('an answer of the page is ignored while a URL is fetched', () => {
  const state = run('mounted', 'started');
  expect(reduce(state, 'shown', undefined, 0)).toBe(state);
});

it('a transient failure can be retried three times', () => {
  let state = run('mounted', 'started');
  for (let retry = 0; retry < 3; retry++) {
    expect(canRetry(state, lost)).toBe(true);
    state = reduce(state, 'retried', lost, 0);
  }
  expect(canRetry(state, lost)).toBe(false);
  expect(canRetry(reduce(state, 'requested', false, 0), lost)).toBe(true);
});

it('a lost report gets one new retry budget after ten visible seconds', () => {
  const used = { ...run(...shown), retries: 3 };
  expect(reduce(used, 'lost', false, 10_000).retries).toBe(3);
  const renewed = reduce(used, 'lost', false, 10_001);
  expect(renewed.retries).toBe(0);
  expect(reduce({ ...renewed, retries: 3 }, 'lost', false, 99_999).retries).toBe(3);
});

it('a lost session is replaced at once the first time, and with a pause afterwards', () => {
  const first = run('mounted', 'started', ['retried', lost]);
  expect(computePause(first)).toBe(1);
  const pauses = Array.from({ length: 20 }, () => computePause(reduce(first, 'retried', lost, 0)));
  expect(Math.max(...pauses)).toBeGreaterThan(1);
});

it('a report that is drawn again after a failure clears the failure', () => {
  const state = run(...shown, 'requested', 'started', ['failed', lost], 'shown');
  expect(state).toMatchObject({ phase: 'settled', failure: undefined });
});

it('each retry adds a random pause of up to half a second', () => {
  const random = vi.spyOn(Math, 'random').mockReturnValue(1);
  const unavailable = createEmbedError('portal_unavailable', '', 2);
  let state = run('mounted', 'started');
  const pauses = [1, 2, 3].map(() => {
    state = reduce(state, 'retried', unavailable, 0);
    return computePause(state);
  });
  expect(pauses).toEqual([2_501, 3_001, 3_501]);
  random.mockRestore();
});
