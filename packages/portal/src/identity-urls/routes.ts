import type { Handlers } from '../http/endpoints.ts';
import { presentIdentityUrl } from './presenter.ts';
import { mintIdentityUrl } from './service.ts';

/** Redeeming is in `pages/routes.ts`, because it answers with a page. */
export const identityUrlRoutes = {
  mintIdentityUrl: async (ctx, input) => presentIdentityUrl(await mintIdentityUrl(ctx, input)),
} satisfies Partial<Handlers>;
