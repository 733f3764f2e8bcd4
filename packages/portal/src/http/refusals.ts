import type { Response } from 'express';

export interface Refusal {
  code: string;
  reason: string;
}

/** Notes why a request was refused, for the metrics. */
export function noteRefusal(res: Response, code: string, reason = ''): void {
  res.locals['refusal'] = { code, reason } satisfies Refusal;
}

export const readRefusal = (res: Response): Refusal | undefined =>
  res.locals['refusal'] as Refusal | undefined;
