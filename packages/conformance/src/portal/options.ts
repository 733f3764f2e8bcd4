import type { CustomFilter } from '@portal-embed/contract';

import type { Limits } from '../http/limits.ts';

/** How to reach a portal, and which of its items to use. */
export interface PortalOptions {
  /** Base address of the API, for example `https://portal.example`. */
  url: string;
  /** A key that may call every endpoint. */
  apiKey: string;
  /** Whether rules may change something. The run removes at the end what it created. Default false. */
  write?: boolean | undefined;
  /** A key that may call only some endpoints. Default: the rule about such keys is skipped. */
  limitedKey?: string | undefined;
  /** The organization of the key. Default: that of an entry of the access log. */
  organizationId?: string | undefined;
  /** The report that identity URLs open. Default: the first of the list. */
  reportId?: string | undefined;
  /** The row-level-security role that is linked. Default: the first of the list. */
  role?: { datasetId: string; name: string } | undefined;
  /** The group that the role is linked to. Default: one of those that users or roles name. */
  groupId?: string | undefined;
  /** `baseUrl` of identity URLs. Default: the origin of a URL without one, if the portal accepts it. */
  baseUrl?: string | undefined;
  /** A custom filter of the report. Default: one of a column that does not exist. */
  filter?: CustomFilter | undefined;
  /** Domain of the e-mails of users that are created. Default `example.com`. */
  emailDomain?: string | undefined;
  /** Whether to wait five minutes until a URL has expired. Default false. */
  slow?: boolean | undefined;
  /** More headers of each request to the API. */
  headers?: Readonly<Record<string, string>> | undefined;
  /** Ids of rules to skip. `identity` skips all rules whose id begins with `identity.`. */
  skip?: readonly string[] | undefined;
  limits?: Partial<Limits> | undefined;
  /** Stops the run early. The run still removes what it created. */
  signal?: AbortSignal | undefined;
  /** Ends the removal early. What remains is in `leftovers`. */
  cleanupSignal?: AbortSignal | undefined;
}
