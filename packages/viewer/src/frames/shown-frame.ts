import type { FileFormat } from '@portal-embed/contract/frame';

/** What the product of a frame can do for the reader. */
export interface FrameAbilities {
  canExport: boolean;
  canPrint: boolean;
}

/** The frame on the page. Its code loads with the first one. */
export interface ShownFrame {
  /** Saves a file, or opens the browser's print dialog. */
  take: (format: FileFormat | 'print') => void;
}
