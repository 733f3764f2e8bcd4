export { cachedTenants, checkPortal } from '@portal-embed/host';
export type {
  CheckPortalOptions,
  EndSessionsResult,
  ErrorEvent,
  Exchange,
  Finding,
  Limits,
  Logger,
  MintEvent,
  Policy,
  PortalUser,
  RefusalCode,
  RefuseEvent,
  Tenant,
  TenantCacheOptions,
  TenantInfo,
} from '@portal-embed/host';

export { isCrossSite } from './cross-site.ts';
export type {
  AuthorizeContext,
  PortalEmbedOptions,
  Provision,
  ProvisionContext,
  Tenants,
} from './options.ts';
export { portalCsp } from './portal-csp.ts';
export type { PortalCspOptions } from './portal-csp.ts';
export { portalEmbed } from './portal-embed.ts';
export type { PortalEmbedHandler } from './portal-embed.ts';
