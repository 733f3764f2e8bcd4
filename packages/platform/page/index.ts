/**
 * The page half of a platform with frames. The portal serves it at `/frames/{name}`, a page that holds
 * no session, and loads that page anew for each reader and report.
 */
export interface FrameAdapter {
  /** Shows a report in the element, which fills the page. */
  show: (element: HTMLElement, request: FrameRequest, events: FrameEvents) => ShownFrame;
}

/** What the viewer's page has been granted, and how the report should look. */
export interface FrameRequest {
  url: string;
  token: string;
  /** ISO 8601. */
  expiresAt: string;
  /** As the platform has sent them. */
  settings: unknown;
  /** What `onView` has reported for this report, possibly in an earlier frame. Default: nothing. */
  view?: string | undefined;
  theme: 'light' | 'dark';
  /** BCP 47 tag. A changed one loads the page anew. */
  locale: string;
  /** Whether the page may frame only documents with `credentialless` on the frame. */
  isIsolated: boolean;
  /** Whether the reader may export and print. */
  canTakeAway: boolean;
}

export interface FrameEvents {
  /** The report is drawn. */
  onReady: () => void;
  /** The report cannot be shown. The text is for the log of the browser. */
  onFailed: (reason: string) => void;
  /** The reader has changed page or filters. At most 4,000 characters. */
  onView: (view: string) => void;
  /** The reader has selected marks. */
  onSelected: (selection: Selection) => void;
  /** The reader has exported or printed by the product's own commands, not by `exportAs` or `print`. */
  onExported: () => void;
  /** The product has refused the token as ended. An `update` brings another one. */
  onExpired: () => void;
}

/** The selected values of a field; no values if none is selected any more. */
export interface Selection {
  /** As in keys of filters. */
  field: string;
  values: (string | number | boolean | null)[];
}

export interface ShownFrame {
  /** A renewed token, or another look. Page and filters of the reader stay. */
  update: (request: FrameRequest) => void;
  /** Loads new data. */
  refresh: () => void;
  /** Saves a file. Default: the product cannot. */
  exportAs?: (format: 'csv' | 'xlsx' | 'png') => void;
  /** Default: the product cannot. */
  print?: () => void;
}
