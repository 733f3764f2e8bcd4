export * from './display.ts';
export { emailKey } from './email.ts';
export * from './endpoints.ts';
export * from './errors.ts';
export * from './examples.ts';
export * from './host.ts';
export * from './page.ts';
export * from './permissions.ts';
export * from './request-id.ts';
export * from './resources.ts';
export * from './frame/causes.ts';
export {
  bootSchema,
  connectSchema,
  frameStateSchema,
  hostMessageSchema,
  portalFailureCauses,
  portalMessageSchema,
  sessionRequiredReasons,
  themes,
} from './frame/schemas.ts';
export { anyText, id, limits, timestamp } from './scalars.ts';
export type {
  Boot,
  Connect,
  FrameState,
  HostMessage,
  PortalFailureCause,
  PortalMessage,
  SessionRequiredReason,
  Theme,
} from './frame/schemas.ts';
