import type { Request } from 'express';

/** The pattern that answered, never the path: metric labels must not grow with what callers send. */
export const routeOf = ({ route }: Request): string =>
  (route as { path?: string } | undefined)?.path ?? 'unmatched';
