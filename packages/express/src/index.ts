export { portalCsp } from './portal-csp.ts';
export type { PortalCspOptions } from './portal-csp.ts';
export { portalEmbed } from './portal-embed.ts';
export type { AuthorizeContext, PortalEmbedOptions, PortalUser } from './options.ts';
export type { Policy } from './policy.ts';
export type { Tenant, TenantInfo } from './tenant.ts';
export type { Tenants } from './tenants.ts';
