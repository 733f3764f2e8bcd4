import { setTimeout } from 'node:timers/promises';

import { PowerbiError } from './errors.ts';

/** Power BI refuses more than about sixty requests a minute, as its users report. */
const pauseMs = 1000;
const maxTries = 5;

/** Waits a moment before a request of a long row of them, and waits longer when Power BI asks for it. */
export async function pace<Answer>(
  ask: () => Promise<Answer>,
  signal: AbortSignal,
  wait: (ms: number) => Promise<unknown> = (ms) => setTimeout(ms, undefined, { signal }),
): Promise<Answer> {
  for (let tried = 1; ; tried++) {
    await wait(pauseMs);
    try {
      return await ask();
    } catch (error) {
      const again = error instanceof PowerbiError && error.failure === 'throttled';
      if (!again || tried === maxTries) throw error;
      await wait((error.retryAfter ?? 60) * 1000);
    }
  }
}
