/** What an adapter for a framework needs beside the public API. */
export { parseAuthority } from './authority.ts';
export type { Authority } from './authority.ts';
export { HostConfigurationError } from './callback.ts';
export { createHostEndpoint } from './create-host-endpoint.ts';
export type { HostEndpoint } from './create-host-endpoint.ts';
export { isCrossSite } from './cross-site.ts';
export { extendPolicy } from './csp.ts';
export { createFindPortalOrigin } from './find-portal-origin.ts';
export type { AddressedRequest, MintAnswer, MintRequest } from './adapter-request.ts';
export { readJson } from './read-body.ts';
