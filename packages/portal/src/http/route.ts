import type { Request } from 'express';

/** Returns the route's pattern, not the path: the number of metric labels must stay bounded. */
export const routeOf = ({ route }: Request): string =>
  (route as { path?: string } | undefined)?.path ?? 'unmatched';
