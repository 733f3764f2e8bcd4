// Used by several interfaces
export { errorPagePath } from './frame/error-page.ts';
export * from './errors.ts';
export { isPrefetch } from './prefetch.ts';
export { describeIssues, parseOptions } from './options.ts';
export { displayFlags, resolveDisplayFlags, type DisplayFlags } from './fields/display.ts';
export { emailKey, refuseLookalikes } from './fields/email.ts';
export * from './fields/filters.ts';
export * from './fields/request-id.ts';
export { idSchema, requestLimits, storableText, timestampSchema } from './fields/scalars.ts';

// The portal's API
export * from './api/endpoint.ts';
export * from './api/endpoints.ts';
export * from './api/examples.ts';
export * from './api/paging.ts';
export * from './api/permissions.ts';
export * from './api/resources.ts';

// The host endpoint
export * from './host/host-errors.ts';
export * from './host/mint.ts';
export * from './host/open.ts';

// The frame channel
export * from './frame/causes.ts';
export {
  bootSchema,
  connectSchema,
  hostMessageSchema,
  portalFailureCauses,
  portalMessageSchema,
  sessionRequiredReasons,
  themes,
} from './frame/schemas.ts';
export type {
  BootMessage,
  ConnectMessage,
  HostMessage,
  PortalFailureCause,
  PortalMessage,
  SessionRequiredReason,
  Theme,
} from './frame/schemas.ts';
