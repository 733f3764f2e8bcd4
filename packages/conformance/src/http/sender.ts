import { setTimeout as delay } from 'node:timers/promises';

import { LimitReached, Meter } from './limits.ts';
import type { Limits } from './limits.ts';
import type { Redact } from './redact.ts';
import { NoAnswer, send } from './send.ts';
import type { Answer, SentRequest } from './send.ts';

export interface Sender {
  meter: Meter;
  /**
   * Sends a request within the limits of the run.
   *
   * @throws NoAnswer, or LimitReached
   */
  send: (request: SentRequest) => Promise<Answer>;
  /** The same, and waits as Retry-After says if the answer is 429. */
  sendPatiently: (request: SentRequest) => Promise<Answer>;
}

const maxAttempts = 3;
const maxWaitSeconds = 20;

export function createSender(limits: Limits, signal: AbortSignal, redact: Redact): Sender {
  const meter = new Meter(limits, signal);

  async function sendOnce(request: SentRequest): Promise<Answer> {
    const requestLimits = meter.start();
    try {
      return await send(request, { ...requestLimits, redact });
    } catch (error) {
      // The run ended, which says nothing about the server.
      if (requestLimits.signal.aborted) throw new LimitReached('the run was interrupted');
      if (error instanceof NoAnswer && meter.leftMs === 0)
        throw new LimitReached(
          `the limit of ${limits.maxSeconds} seconds is reached (--max-seconds)`,
        );
      throw error;
    }
  }

  return {
    meter,
    send: sendOnce,
    sendPatiently: async (request) => {
      for (let attempt = 1; ; attempt += 1) {
        const answer = await sendOnce(request);
        if (answer.status !== 429 || attempt === maxAttempts) return answer;
        const seconds = Number(answer.headers['retry-after'] ?? 1);
        if (!(seconds <= maxWaitSeconds)) return answer;
        // After an interruption, the next attempt throws.
        await delay(Math.min(seconds * 1_000, meter.leftMs), undefined, {
          signal: meter.signal,
        }).catch(() => {});
      }
    },
  };
}
