export { createPortalClient } from './client.ts';
export type { List, Method, MintedUrl, PortalClient } from './client.ts';
export type { CallOptions } from './call.ts';
export { PortalApiError } from './errors.ts';
export type { PortalErrorCode } from './errors.ts';
export type { PortalClientOptions } from './options.ts';
