export { errorPagePath } from './error-page.ts';
export type { EmbedFailureCause } from './causes.ts';
export { areFilters, maxViewLength } from './checks.ts';
export { isConnect, isHostMessage } from './host-guards.ts';
export { isBoot, isPortalMessage } from './portal-guards.ts';
export type {
  BootMessage,
  ConnectMessage,
  ExportFormat,
  FileFormat,
  FrameOptions,
  HostMessage,
  Look,
  MarkValue,
  PortalFailureCause,
  PortalMessage,
  SessionRequiredReason,
  Theme,
  ThemeLook,
} from './schemas.ts';
