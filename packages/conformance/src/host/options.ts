import type { CustomFilter } from '@portal-embed/contract';

import type { Limits } from '../http/limits.ts';

/** How to reach a host endpoint, and as which user. */
export interface HostOptions {
  /** Address of the endpoint, for example `https://app.example/portal-embed/url`. */
  url: string;
  /**
   * Headers that identify a signed-in user, for example `Cookie`. Default: none, so that rules that
   * need a user are skipped.
   */
  session?: Readonly<Record<string, string>> | undefined;
  /** Origin of the pages that call the endpoint. Default: that of `url`. */
  origin?: string | undefined;
  /** A report that the user may open. Default: the whole portal is requested. */
  reportId?: string | undefined;
  /** Another origin whose pages may call the endpoint. Default: the rules about it are skipped. */
  allowedOrigin?: string | undefined;
  /**
   * Address of the endpoint at the host name of another tenant, where the session must not be valid.
   * Default: the rule about it is skipped.
   */
  otherUrl?: string | undefined;
  /** A filter that the host locks for the user. Default: the rule about it is skipped. */
  lockedFilter?: CustomFilter | undefined;
  /** The API key of the host, which no answer may contain. Default: only its name is searched for. */
  portalKey?: string | undefined;
  /** Ids of rules to skip. `body` skips all rules whose id begins with `body.`. */
  skip?: readonly string[] | undefined;
  limits?: Partial<Limits> | undefined;
  /** Stops the run early. */
  signal?: AbortSignal | undefined;
}
