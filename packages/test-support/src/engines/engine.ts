export type EngineKey =
  | 'Enter'
  | 'Escape'
  | 'Backspace'
  | 'Delete'
  | 'Tab'
  | 'ArrowLeft'
  | 'ArrowRight'
  | 'ArrowUp'
  | 'ArrowDown'
  | 'z';

export interface Point {
  x: number;
  y: number;
}

/** The page of a browser with a fresh profile: no cookies, no storage, no history. */
export interface EnginePage {
  open: (url: string) => Promise<void>;
  /** Runs a function without a closure in the page. Its arguments and its result are JSON. */
  evaluate: <Args extends unknown[], Result>(
    script: (...args: Args) => Result,
    ...args: Args
  ) => Promise<Result>;
  /** Runs a function in the only frame of the page, which may be in an open shadow tree. */
  evaluateInFrame: EnginePage['evaluate'];
  /**
   * Runs a function in a frame of a page that has one frame in each: 2 is the frame in the page's frame.
   * WebKit's driver does not support it.
   */
  evaluateAt?: (depth: number) => EnginePage['evaluate'];
  /** Waits for an element and clicks it with the pointer. */
  click: (selector: string) => Promise<void>;
  /** Moves the pointer to a point of the viewport and clicks there. */
  clickAt: (x: number, y: number) => Promise<void>;
  /** Types characters into the focused element. */
  type: (text: string) => Promise<void>;
  /** Presses a key, while the modifier is held. */
  press: (key: EngineKey, modifier?: 'Alt' | 'Control' | 'Shift') => Promise<void>;
  /** Holds the pointer's button at a point of the viewport, moves to another one and releases it. */
  drag: (from: Point, to: Point) => Promise<void>;
  /** Goes back in the history of the page. The call may return before the page has changed. */
  back: () => Promise<void>;
  /**
   * Answers each HTTP authentication like a reader who enters a wrong password and then cancels. WebKit's
   * driver does not support it.
   */
  failAuthentication?: () => Promise<void>;
  /** Answers all requests to an origin with an HTML page. Only Firefox supports it. */
  answerOrigin?: (origin: string, html: string) => Promise<void>;
  /** Returns the latest window that the page has opened. */
  openedPage: () => Promise<EnginePage>;
  close: () => Promise<void>;
}

/** A running browser. */
export interface Engine {
  openPage: () => Promise<EnginePage>;
  close: () => Promise<void>;
}
