import type { Handlers } from '../http/endpoints.ts';
import { endSessions } from './service.ts';

export const sessionRoutes = {
  endSessions: async (ctx, input) => void (await endSessions(ctx, input)),
} satisfies Partial<Handlers>;
