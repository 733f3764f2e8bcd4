import type { z } from 'zod';

import type { Row } from '../http/mount.ts';
import { exportRequestSchema } from './exports.ts';
import { favoriteRequestSchema, valuesRequestSchema, viewRequestSchema } from './report-views.ts';

/** A request of the viewer page, with the bearer of its session. `{reportId}` is a UUID. */
export interface ViewerEndpoint extends Row {
  body?: z.ZodType;
  /** What an error calls the body. */
  bodyName?: string;
  /** Whether it counts toward the reports that a user loads at the same time. */
  isLimited?: true;
}

const report = '/viewer/reports/{reportId}';

/** Every data request of the viewer page. Redeeming is in `pages/routes.ts`. */
export const viewerEndpoints = {
  listReports: { method: 'GET', path: '/viewer/reports' },
  viewReport: {
    method: 'POST',
    path: `${report}/view`,
    body: viewRequestSchema,
    bodyName: 'request for a report',
    isLimited: true,
  },
  listValues: {
    method: 'POST',
    path: `${report}/values`,
    body: valuesRequestSchema,
    bodyName: 'request for values',
    isLimited: true,
  },
  setFavorite: {
    method: 'PUT',
    path: `${report}/favorite`,
    body: favoriteRequestSchema,
    // One flag, with room to spare.
    bodyLimit: 1_000,
    bodyName: 'request for a favorite',
  },
  exportTile: {
    method: 'POST',
    path: `${report}/export`,
    body: exportRequestSchema,
    bodyName: 'request for an export',
    isFile: true,
    isLimited: true,
  },
  recordPrint: { method: 'POST', path: `${report}/print` },
} as const satisfies Record<string, ViewerEndpoint>;

export type ViewerEndpointName = keyof typeof viewerEndpoints;

type Endpoint<Name extends ViewerEndpointName> = (typeof viewerEndpoints)[Name];

/** What a handler receives: the report of the path, and the body. */
export type ViewerInput<Name extends ViewerEndpointName> =
  (Endpoint<Name>['path'] extends `${typeof report}${string}` ? { reportId: string } : unknown) &
    (Endpoint<Name> extends { body: infer Body extends z.ZodType } ? z.output<Body> : unknown);
