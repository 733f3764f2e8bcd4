export { PortalEmbed, PortalEmbedProvider, usePortalEmbed } from './PortalEmbed.ts';
export type { PortalEmbedHook, PortalEmbedProps, Slot } from './PortalEmbed.ts';
export { createEmbedError } from './core/error.ts';
export type { EmbedError } from './core/error.ts';
export type { EmbedHandle } from './core/embed.ts';
export type {
  EmbedOptions,
  EmbedState,
  ExportEvent,
  FetchIdentityUrl,
  NavigateEvent,
  ReadyEvent,
  SelectEvent,
} from './core/options.ts';
export type { EmbedTexts } from './texts.ts';
export type {
  EmbedFailureCause,
  ExportFormat,
  FileFormat,
  MarkValue,
  Theme,
  ThemeLook,
} from '@portal-embed/contract/frame';
