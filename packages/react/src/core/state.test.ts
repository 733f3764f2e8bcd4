import { expect, it, vi } from 'vitest';

import { createEmbedError } from './error.ts';
import { computePause, computeStatus, initialState, reduce } from './state.ts';
import type { LoadEvent, LoadEvents, LoadState } from './state.ts';

type Event = LoadEvent | { [Type in LoadEvent]: [Type, ...LoadEvents[Type]] }[LoadEvent];
const run = (...events: Event[]) =>
  events.reduce<LoadState>((state, event) => {
    const [type, ...details] = Array.isArray(event) ? event : [event];
    return reduce(state, type, ...details);
  }, initialState);

const shown = ['queued', 'started', 'minted', 'shown'] as const;
const lost = createEmbedError('session_lost');
const final = createEmbedError('report_failed');
const refused = createEmbedError('forbidden');

it.each([
  [[], undefined],
  [['queued'], undefined],
  [['queued', 'started'], 'minting'],
  [['queued', 'started', 'minted'], 'loading'],
  [[...shown], 'ready'],
  [[...shown, ['requested', false], 'started'], 'refreshing'],
  [[...shown, ['lost', false], ['failed', lost]], 'minting'],
  [[...shown, ['lost', true], ['failed', lost]], 'refreshing'],
  [[...shown, 'requested', 'started', ['failed', final]], 'ready'],
  [[...shown, ['requested', true], 'started', ['failed', final]], 'failed'],
  [[...shown, 'requested', 'started', ['failed', refused]], 'failed'],
  [[...shown, ['requested', false]], 'ready'],
  [['queued', 'started', ['failed', refused], 'requested'], 'failed'],
  [['queued', 'started', ['failed', refused], 'requested', 'started', 'requested'], undefined],
  [
    [...shown, ['requested', true], ...shown.slice(1), 'requested', 'started', ['failed', final]],
    'ready',
  ],
  [[...shown, ['lost', true], 'requested', 'started', ['failed', final]], 'failed'],
] as [Parameters<typeof run>, string | undefined][])(
  'after %j the status is %s',
  (events, status) => {
    const state = run(...events);
    expect(state.phase === 'unmounted' ? undefined : computeStatus(state)).toBe(status);
  },
);

it.each(['started', 'minted', 'shown', 'stable', 'requested', 'lost', 'failed'] as const)(
  'an unmounted embed ignores %s',
  (type) => {
    expect(reduce(initialState, type, ...([lost] as LoadEvents['failed']))).toBe(initialState);
  },
);

it('an answer of the page is ignored while a URL is fetched', () => {
  const state = run('queued', 'started');
  expect(reduce(state, 'shown')).toBe(state);
});

it('a transient failure can be retried three times', () => {
  let state = run('queued', 'started');
  for (let retry = 0; retry < 3; retry++) {
    state = reduce(state, 'failed', lost);
    expect(state.phase).toBe('pausing');
  }
  expect(reduce(state, 'failed', lost).phase).toBe('settled');
  const requested = reduce(state, 'requested', false);
  expect(reduce(requested, 'failed', lost).phase).toBe('pausing');
});

it('only a report that stayed visible has a new retry budget when it is lost', () => {
  const used = { ...run(...shown), retries: 3 };
  expect(reduce(used, 'lost', false).retries).toBe(3);
  const renewed = reduce(used, 'stable');
  expect(reduce(renewed, 'lost', false)).toMatchObject({ phase: 'settled', retries: 0 });
});

it('a lost session is replaced at once the first time, and with a pause afterwards', () => {
  const first = run('queued', 'started', ['failed', lost]);
  expect(computePause(first)).toBe(1);
  const pauses = Array.from({ length: 20 }, () => computePause(reduce(first, 'failed', lost)));
  expect(Math.max(...pauses)).toBeGreaterThan(1);
});

it('a report that is drawn again after a failure clears the failure', () => {
  const state = run(...shown, 'requested', 'started', ['failed', final], 'shown');
  expect(state).toMatchObject({ phase: 'settled', error: undefined });
});

it('each retry adds a random pause of up to half a second', () => {
  const random = vi.spyOn(Math, 'random').mockReturnValue(1);
  const unavailable = createEmbedError('portal_unavailable', '', 2);
  let state = run('queued', 'started');
  const pauses = [1, 2, 3].map(() => {
    state = reduce(state, 'failed', unavailable);
    return computePause(state);
  });
  expect(pauses).toEqual([2_501, 3_001, 3_501]);
  random.mockRestore();
});
