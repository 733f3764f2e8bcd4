import { createProblem, type Problem } from '@portal-embed/contract';
import type { Request, Response } from 'express';

import type { Progress } from '#admin/requests';

import { toPortalError } from './problems.ts';
import { noteRefusal } from './response-notes.ts';

const lines = 'application/x-ndjson';

/**
 * An answer that begins before its request is done, if its client accepts that: lines of JSON, `{ progress }` until the last one,
 * which is `{ answer }` or `{ problem }`. Without progress, it is an ordinary answer.
 */
export class ProgressAnswer {
  readonly #req: Request;
  readonly #res: Response;

  constructor(req: Request, res: Response) {
    this.#req = req;
    this.#res = res;
  }

  readonly report = (progress: Progress): void => {
    const res = this.#res;
    if (this.#req.get('Accept') !== lines) return;
    if (!res.headersSent)
      res
        .status(200)
        .type(lines)
        // A proxy that waits for the end would hold the progress back.
        .set({ 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' });
    this.#write({ progress });
  };

  /** Sends the result of `work`, or its error if the answer has begun. */
  async send(work: () => Promise<object>): Promise<void> {
    const res = this.#res;
    try {
      const answer = await work();
      if (!res.headersSent) return void res.set('Cache-Control', 'no-store').json(answer);
      this.#write({ answer });
    } catch (error) {
      if (!res.headersSent) throw error;
      // Nobody reads the answer to a request that was cancelled.
      if (!res.closed) this.#write({ problem: this.#describe(error) });
    }
    res.end();
  }

  #describe(error: unknown): Problem {
    const { code, message, advice, errors, reason } = toPortalError(error, this.#req);
    noteRefusal(this.#res, code, reason);
    return createProblem(code, message, this.#req.id, { advice, errors, reason });
  }

  #write(line: object): void {
    if (!this.#res.closed) this.#res.write(`${JSON.stringify(line)}\n`);
  }
}
