import { errorTable, createProblem, type ErrorCode, type Problem } from '@portal-embed/contract';
import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';

import { failureAdvice, failureDetails, findFailureCause } from '../db/connection/failures.ts';
import { PortalError } from '../errors.ts';
import { noteRefusal } from './refusals.ts';

/** Answers an error as RFC 9457 problem+json. */
export function sendProblem(
  req: Request,
  res: Response,
  code: ErrorCode,
  detail: string,
  errors?: Problem['errors'],
  reason?: string,
): void {
  noteRefusal(res, code, reason);
  res
    .status(errorTable[code].status)
    .type('application/problem+json')
    .set('Cache-Control', 'no-store')
    .send(JSON.stringify(createProblem(code, detail, req.id, errors)));
}

export const sendNotFound: RequestHandler = (req, res) =>
  sendProblem(
    req,
    res,
    'not_found',
    'There is nothing at this address. Check the path; letter case and slashes matter.',
  );

/** What an error is called in an answer. One that nobody foresaw is logged, not told. */
export function describeError(
  error: unknown,
  req: Request,
  res: Response,
): [code: ErrorCode, detail: string, errors?: Problem['errors'], reason?: string] {
  if (error instanceof PortalError) {
    if (error.retryAfter !== undefined) res.set('Retry-After', String(error.retryAfter));
    return [error.code, error.message, error.errors];
  }
  // Express could not decode the path, or the client ended the request early.
  if ((error as { status?: number } | null)?.status === 400)
    return ['invalid_request', 'The request could not be read. Check its path and its length.'];
  const cause = findFailureCause(error);
  if (cause) {
    req.logFailure(error, failureAdvice[cause]);
    res.set('Retry-After', '2');
    return ['database_unavailable', failureDetails[cause], undefined, cause];
  }
  req.logFailure(error, 'request failed');
  return [
    'internal_error',
    'Something went wrong on our side. Try again; if the problem persists, send the requestId to your administrator.',
  ];
}

/** The only place where an error becomes an answer of the API. */
export const answerErrors: ErrorRequestHandler = (error, req, res, _next) => {
  if (res.headersSent) {
    // Nothing can be said any more. Express would print the error, past the log and its redaction.
    req.logFailure(error, 'answer broken off');
    res.destroy();
    return;
  }
  // The caller is gone, or was told already that the rest of the request is unreadable.
  if (req.socket.writable) sendProblem(req, res, ...describeError(error, req, res));
  else res.destroy();
};
