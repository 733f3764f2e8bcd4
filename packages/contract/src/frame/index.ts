export type { EmbedFailureCause } from './causes.ts';
export { areFilters, isBoot, isConnect, isHostMessage, isPortalMessage } from './guards.ts';
export type {
  BootMessage,
  ConnectMessage,
  ExportFormat,
  FileFormat,
  FrameOptions,
  FrameState,
  HostMessage,
  PortalFailureCause,
  PortalMessage,
  SessionRequiredReason,
  Theme,
} from './schemas.ts';
