import type { Request } from 'express';

/** Returns the pattern of the route, not the path, so that the number of metric labels is bounded. */
export const readRoute = ({ route }: Request): string =>
  (route as { path?: string } | undefined)?.path ?? 'unmatched';
