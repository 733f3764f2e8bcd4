export { PortalEmbed } from './PortalEmbed.ts';
export type { PortalEmbedProps, Slot } from './PortalEmbed.ts';
export { PortalEmbedProvider, usePortalEmbed } from './use-portal-embed.ts';
export type { PortalEmbedHook } from './use-portal-embed.ts';
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
} from './core/options.ts';
export type { EmbedTexts } from './texts.ts';
export type {
  EmbedFailureCause,
  ExportFormat,
  FileFormat,
  Theme,
} from '@portal-embed/contract/frame';
