/** Longest `key` of a frame, in characters. */
export const maxFrameKeyLength = 200;

/** A report in a frame of another product. The page half of the platform shows it. */
export interface Frame {
  kind: 'frame';
  /** Address of the product's page. */
  url: string;
  /** Token with which that page admits the reader. It is sent to the reader's browser and nowhere else. */
  token: string;
  expiresAt: Date;
  /**
   * Names everything on which the frame depends but the token: report, roles, filters. A frame with
   * another key replaces the shown one. 1 to `maxFrameKeyLength` characters; hash what is longer.
   */
  key: string;
  /** What else the page half needs, as JSON. */
  settings: unknown;
  /** Keys of filters that the product cannot apply. */
  unappliedFilters: readonly string[];
  /** Whether the reader could not see other rows by changing the filters inside the frame. */
  filtersAreEnforced: boolean;
}

/** The frame that a page shows: refreshing, confirming and renewing it are one request. */
export interface Held {
  key: string;
  /** Until its token ends; negative if it has ended. */
  secondsLeft: number;
}

/** The frame that the page shows stays as it is: the portal has confirmed access, roles and session. */
export interface Kept {
  kind: 'kept';
}

/** What a browser may load for a platform's frames. It is known before any report is opened. */
export interface Frames {
  /** Origins that the page half may frame. */
  origins: readonly string[];
  /** Path of the page half: an ES module without imports, whose default export is a `FrameAdapter`. */
  script: string;
  /** Path of its style sheet. Default: none. */
  styles?: string | undefined;
}
