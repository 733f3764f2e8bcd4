import type { Authority } from './authority.ts';

/** What ending sessions needs of a request. */
export interface AddressedRequest<Context> {
  /** Returns the host that the browser addressed, or `undefined` if there is none or several. */
  readAuthority: () => Authority | undefined;
  /** Returns a header; names are in lower case. */
  header: (name: string) => string | undefined;
  /** The id that the application's logger gave the request. Default: the header `X-Request-Id`. */
  id?: unknown;
  /** The framework's own request, which callbacks receive. */
  context: Context;
}

/** A request as an adapter describes it: all that minting needs of any framework. */
export interface MintRequest<Context> extends AddressedRequest<Context> {
  method: string;
  /** The query of the URL, with or without its question mark. Only `open` reads it. */
  search: string;
  /** Returns the body as parsed JSON. Only `mint` calls it, once, after the user is known. */
  readBody: () => Promise<unknown>;
  /** Fires when the client has closed the connection. */
  signal: AbortSignal;
  /** How much of the deadline earlier middleware has used, in milliseconds. Default 0. */
  spentMs?: number | undefined;
}

export interface MintAnswer {
  status: number;
  headers: Record<string, string>;
  /** JSON, HTML, or empty. */
  body: string;
}
