import { act } from '@testing-library/react';
import { afterEach, beforeEach, vi } from 'vitest';
import type { MockInstance } from 'vitest';

/** Spy on `fetch`. It counts a call before the request reaches the host. */
export let sent: MockInstance<typeof fetch>;

/** Gives each test a clock that follows real time and can be advanced. */
export function setClock() {
  beforeEach(() => {
    vi.useFakeTimers({
      toFake: ['setTimeout', 'clearTimeout', 'Date'],
      shouldAdvanceTime: true,
      advanceTimeDelta: 5,
    });
    sent = vi.spyOn(globalThis, 'fetch');
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });
}

/** Advances the clock, by default past every delay of an idle embed. */
export const advanceClock = (ms = 60_000) => act(() => vi.advanceTimersByTimeAsync(ms));
