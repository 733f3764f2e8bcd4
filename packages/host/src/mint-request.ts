import type { Authority } from './authority.ts';

/** A request as an adapter describes it: all that minting needs of any framework. */
export interface MintRequest<Context> {
  method: string;
  /** Returns the host that the browser addressed, or `undefined` if there is none or several. */
  readAuthority: () => Authority | undefined;
  /** Returns a header; names are in lower case. */
  header: (name: string) => string | undefined;
  /** Returns the body as parsed JSON. Called once, after the user is known. */
  readBody: () => Promise<unknown>;
  /** The id that the application's logger gave the request. Default: the header `X-Request-Id`. */
  id?: unknown;
  /** Fires when the client has closed the connection. */
  signal: AbortSignal;
  /** How much of the deadline earlier middleware has used, in milliseconds. Default 0. */
  spentMs?: number | undefined;
  /** The framework's own request, which callbacks receive. */
  context: Context;
}

export interface MintAnswer {
  status: number;
  headers: Record<string, string>;
  /** JSON, or empty. */
  body: string;
}
