import type { Handlers } from '../http/endpoints.ts';
import { presentIdentityUrl } from './presenter.ts';
import { endSessions, mintIdentityUrl } from './service.ts';

export const identityRoutes = {
  mintIdentityUrl: async (ctx, input) => presentIdentityUrl(await mintIdentityUrl(ctx, input)),
  endSessions: async (ctx, input) => void (await endSessions(ctx, input)),
} satisfies Partial<Handlers>;
