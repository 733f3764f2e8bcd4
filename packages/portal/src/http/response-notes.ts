import type { Response } from 'express';

export interface Refusal {
  code: string;
  reason: string;
}

/** Notes why a request was refused, for the metrics and the log. */
export function noteRefusal(res: Response, code: string, reason = ''): void {
  res.locals['refusal'] = { code, reason } satisfies Refusal;
}

export const readRefusal = (res: Response): Refusal | undefined =>
  res.locals['refusal'] as Refusal | undefined;

/** The authenticated sender of a request. */
export interface Caller {
  organizationId: string;
  apiKeyId?: string | undefined;
}

/** Notes who sent a request, for the log. */
export function noteCaller(res: Response, { organizationId, apiKeyId }: Caller): void {
  res.locals['caller'] = { organizationId, apiKeyId } satisfies Caller;
}

export const readCaller = (res: Response): Caller | undefined =>
  res.locals['caller'] as Caller | undefined;

/** Notes what an operator can do about a refusal, for the log. */
export function noteHint(res: Response, hint: string): void {
  res.locals['hint'] = hint;
}

export const readHint = (res: Response): string | undefined =>
  res.locals['hint'] as string | undefined;
