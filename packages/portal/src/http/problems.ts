import type { Socket } from 'node:net';

import { createProblem, errorPagePath, errorTable, type ErrorCode } from '@portal-embed/contract';
import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';

import { isDiskFull } from '#server-kit';

import {
  failureAdvice,
  failureTexts,
  findFailureCause,
} from '../db/connection/database-failures.ts';
import { databaseFailure } from '../db/connection/limits.ts';
import { PortalError } from '../errors.ts';
import { requestOrigin } from './origin.ts';
import { noteRefusal } from './response-notes.ts';

/** Whether a browser sent the request, so that a person may read the answer among its requests. */
const isFromBrowser = (req: Request): boolean => req.get('Sec-Fetch-Site') !== undefined;

const errorPage = (req: Request, code: ErrorCode): string =>
  (requestOrigin(req) ?? '') + errorPagePath(code);

/** Sends an error as RFC 9457 problem+json. */
export function sendProblem(req: Request, res: Response, error: PortalError): void {
  const { code, message, advice, errors, reason, retryAfter } = error;
  const detail = isFromBrowser(req) ? `${message} ${errorPage(req, code)}` : message;
  noteRefusal(res, code, reason);
  if (retryAfter !== undefined) res.set('Retry-After', String(retryAfter));
  res
    .status(errorTable[code].status)
    .type('application/problem+json')
    .set('Cache-Control', 'no-store')
    .send(JSON.stringify(createProblem(code, detail, req.id, { advice, reason, errors })));
}

export const sendNotFound: RequestHandler = (req, res) =>
  sendProblem(
    req,
    res,
    new PortalError(
      'not_found',
      'There is nothing at this address. Check the path; letter case and slashes matter.',
    ),
  );

/** Returns the error for the caller. Unexpected errors are logged and not described. */
export function toPortalError(error: unknown, req: Request): PortalError {
  if (error instanceof PortalError) return error;
  // Express could not decode the path, or the client ended the request early.
  if ((error as { status?: number } | null)?.status === 400)
    return new PortalError(
      'invalid_request',
      'The request could not be read. Check its path and its length.',
    );
  const cause = findFailureCause(error);
  if (cause) {
    req.logFailure(error, failureAdvice[cause]);
    const { happened, advice, authorAdvice = advice } = failureTexts[cause];
    return new PortalError(databaseFailure.code, happened, {
      advice: isAdministration(req) ? authorAdvice : advice,
      retryAfter: databaseFailure.retryAfter,
      reason: cause,
    });
  }
  if (isDiskFull(error)) {
    req.logFailure(error, 'The disk of the portal is full. Free disk space.');
    return new PortalError('storage_full', 'The disk of the portal is full.', {
      advice: 'Nothing was stored. Tell the operator of the portal, who must free space.',
    });
  }
  req.logFailure(error, 'request failed');
  return new PortalError('internal_error', 'Something went wrong on our side.', {
    advice: `Try again; if the problem persists, send the requestId to ${isAdministration(req) ? 'the operator of the portal' : 'your administrator'}.`,
  });
}

/** Administrators ask the operator, and everybody else asks an administrator. */
const isAdministration = ({ originalUrl }: Request): boolean => originalUrl.startsWith('/admin/');

/** The only place where an error becomes a response of the API. */
export const answerErrors: ErrorRequestHandler = (error, req, res, _next) => {
  if (res.headersSent) {
    // Express would print the error to the console, without the log's redaction.
    req.logFailure(error, 'answer broken off');
    res.destroy();
    return;
  }
  // Node takes the socket away from a request that was destroyed.
  const { socket } = req as { socket: Socket | null };
  if (socket?.writable) sendProblem(req, res, toPortalError(error, req));
  else res.destroy();
};
