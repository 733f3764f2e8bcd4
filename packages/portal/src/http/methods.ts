import type { RequestHandler } from 'express';

import { PortalError } from '../errors.ts';
import { sendProblem } from './problems.ts';

/** Answers 405 to every method that no earlier route handled. */
export const allowOnly =
  (...methods: string[]): RequestHandler =>
  (req, res) => {
    const allowed = methods.flatMap((method) => (method === 'GET' ? [method, 'HEAD'] : [method]));
    const allow = allowed.join(', ');
    res.set('Allow', allow);
    sendProblem(
      req,
      res,
      new PortalError(
        'method_not_allowed',
        `This address does not support ${req.method}. Use ${allow}.`,
      ),
    );
  };
