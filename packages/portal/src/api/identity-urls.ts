import { presentIdentityUrl } from '../identity-urls/presenter.ts';
import { mintIdentityUrl } from '../identity-urls/service.ts';
import type { Handlers } from './mount.ts';

/** Redeeming is in `pages/routes.ts`, because it answers with a page. */
export const identityUrlRoutes = {
  mintIdentityUrl: async (ctx, input) => presentIdentityUrl(await mintIdentityUrl(ctx, input)),
} satisfies Partial<Handlers>;
