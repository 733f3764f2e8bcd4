import { idSchema } from '@portal-embed/contract';
import { Router, type Request } from 'express';
import { z } from 'zod';

import { PortalError } from '../errors.ts';
import { invalidBody } from '../http/body.ts';
import { mount } from '../http/mount.ts';
import { parseParts } from '../http/parts.ts';
import type { ReadingScope } from '../readings/reading.ts';
import type { Session } from '../viewer-sessions/session.ts';
import {
  viewerEndpoints,
  type ViewerEndpoint,
  type ViewerEndpointName,
  type ViewerInput,
} from './endpoints.ts';
import { exportRoutes } from './exports.ts';
import {
  authenticate,
  createReadingScope,
  reportViewRoutes,
  type ViewerServices,
} from './report-views.ts';

export interface ViewerCall {
  scope: ReadingScope;
  session: Session;
  /** Checks that the session has not ended. */
  confirm: () => Promise<unknown>;
}

/** Handlers of the data requests of the viewer page. */
export type ViewerHandlers = {
  [Name in ViewerEndpointName]: (call: ViewerCall, input: ViewerInput<Name>) => Promise<object>;
};

/** Maximum bytes of a view request: a thousand values of filters, with room to spare. */
const viewRequestLimit = 200_000;

/** Mounts every row of the table of the viewer page. */
export function viewerRouter(scope: ViewerServices): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const table: Record<ViewerEndpointName, ViewerEndpoint> = viewerEndpoints;
  const handlers: ViewerHandlers = { ...reportViewRoutes, ...exportRoutes };
  mount(
    router,
    table,
    handlers,
    async ({ row, req, res }) => {
      const session = await authenticate(scope, req, res);
      const { organizationId, userId } = session;
      await scope.takePermit({ kind: 'user', organizationId, id: userId });
      const confirm = () => authenticate(scope, req, res);
      return {
        confirm,
        parse: async () => parseInput(row, req),
        limit: row.isLimited && ((work) => scope.limitViews(session, work)),
        run: (handle, input) =>
          handle({ scope: createReadingScope(scope, session, req, res), session, confirm }, input),
      };
    },
    { bodyLimit: viewRequestLimit },
  );
  return router;
}

const paramsSchema = z.object({ reportId: idSchema });

const parseInput = (row: ViewerEndpoint, req: Request): Record<string, unknown> =>
  parseParts(
    req,
    { params: row.path.includes('{reportId}') ? paramsSchema : undefined, body: row.body },
    (part, error) =>
      part === 'params'
        ? new PortalError(
            'invalid_request',
            'The report id in the address is not a UUID. Check the address.',
          )
        : invalidBody(row.bodyName ?? 'request', error),
  );
