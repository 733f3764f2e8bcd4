import type { FileFormat } from '@portal-embed/contract/frame';
import type { FrameRequest, Selection } from 'platform/page';

import type { FrameAbilities } from './shown-frame.ts';

/**
 * Messages between the viewer's page and its frame `/frames/{platform}`, which are always deployed
 * together. `frame-loaded` and `viewer-connect` are window messages of one origin, and the second
 * transfers the port for all other messages.
 */
export interface FrameLoaded {
  type: 'frame-loaded';
}

export interface ViewerConnect {
  type: 'viewer-connect';
}

export type ViewerMessage =
  /** The first one shows the report, later ones update it. */
  | { type: 'show'; request: FrameRequest }
  | { type: 'refresh' }
  | { type: 'export'; format: FileFormat }
  | { type: 'print' };

export type FrameMessage =
  | ({ type: 'ready' } & FrameAbilities)
  | { type: 'failed' }
  | { type: 'view'; view: string }
  | ({ type: 'selected' } & Selection)
  /** The product has refused the token as ended. */
  | { type: 'expired' }
  /** The reader has exported or printed inside the frame. */
  | { type: 'exported' }
  | { type: 'key'; key: 'Escape' };

/** Path of the page that shows the frames of a platform. `isIsolated`: with an embedder policy. */
export const framePath = (platform: string, isIsolated: boolean): string =>
  `/frames/${encodeURIComponent(platform)}${isIsolated ? '?isolated' : ''}`;
