import type { FileFormat } from '@portal-embed/contract/frame';
import type { Selection } from 'platform/page';
import type { ComponentType } from 'react';

import type { ViewAnswer } from '../requests/viewer.ts';
import type { PortalApi } from '../session/portal-api.ts';
import type { ViewerState } from '../viewer-state.ts';

/** What the product of a frame can do for the reader. */
export interface FrameAbilities {
  canExport: boolean;
  canPrint: boolean;
}

/** A frame that has drawn its report. */
export interface ShownFrame extends FrameAbilities {
  /** The files that the product can save. */
  Menu: ComponentType<{ title: string }>;
  /** Saves a file, or opens the browser's print dialog. */
  exportAs: (format: FileFormat | 'print') => void;
}

/** What the code of frames needs of the viewer. It loads with the first frame. */
export interface FrameParts {
  change: (part: Partial<ViewerState>) => void;
  fail: (error: unknown) => void;
  /** Aborts the request in flight. */
  beginRequest: () => AbortSignal;
  showAnswer: (answer: ViewAnswer) => void;
  viewReport: PortalApi['viewReport'];
  /** Tells the host that the reader has changed the view. */
  noteView: () => void;
  /** Tells the host what the reader has selected. */
  noteSelected: (selection: Selection) => void;
}
