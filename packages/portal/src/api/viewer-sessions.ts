import { endSessions } from '../viewer-sessions/service.ts';
import type { Handlers } from './mount.ts';

export const sessionRoutes = {
  endSessions: async (ctx, input) => void (await endSessions(ctx, input)),
} satisfies Partial<Handlers>;
