import { endpoints } from '@portal-embed/contract';
import type {
  AuditEntry,
  EndpointInput,
  EndpointName,
  EndpointResponse,
  IdentityUrl,
  PagedList,
  Report,
  RlsRole,
  User,
} from '@portal-embed/contract';

import { createCall } from './call.ts';
import type { CallOptions, CallResult } from './call.ts';
import { PortalApiError } from './errors.ts';
import { secondsUntil } from './expiry.ts';
import { readOptions } from './options.ts';
import type { PortalClientOptions } from './options.ts';

/** One call of the API. Throws a `PortalApiError`. */
export type Method<Name extends EndpointName, Result = void> = (
  input: EndpointInput<Name>,
  options?: CallOptions,
) => Promise<Result>;

/** A list: one page at a time, or all items in turn. */
export interface List<Name extends EndpointName, Item> {
  /** One page, the first unless `pageNumber` says otherwise. */
  list: (filters?: EndpointInput<Name>, options?: CallOptions) => Promise<PagedList<Item>>;
  /** All items from the first page (or `pageNumber`) on, fetched page by page as they are used. */
  iterate: (filters?: EndpointInput<Name>, options?: CallOptions) => AsyncGenerator<Item, void>;
}

export interface MintedUrl extends IdentityUrl {
  /** Seconds until `expiresAt` by the portal's own clock, so that a wrong local one does no harm. */
  expiresIn: number;
}

export interface PortalClient {
  users: List<'listUsers', User> & {
    /** Resolves to the new user, or to `undefined` if the portal answers without one. */
    create: Method<'createUser', User | undefined>;
    delete: Method<'deleteUser'>;
    /** Grants a user access to reports. */
    linkReports: Method<'linkReports'>;
    /** Removes a user's direct access to reports. */
    unlinkReports: Method<'unlinkReports'>;
  };
  reports: List<'listReports', Report>;
  /** Row-level-security roles. */
  rls: List<'listRlsRoles', RlsRole> & {
    linkUsers: Method<'linkRlsUsers'>;
    linkGroups: Method<'linkRlsGroups'>;
    unlinkUsers: Method<'unlinkRlsUsers'>;
    unlinkGroups: Method<'unlinkRlsGroups'>;
  };
  /** The report access log. */
  audit: List<'listAuditEntries', AuditEntry>;
  identity: {
    /** Mints a single-use URL that opens the portal as one user, valid for five minutes. */
    mintUrl: Method<'mintIdentityUrl', MintedUrl>;
    /**
     * Ends a user's open sessions and unspent URLs, for example when they sign out. The specification
     * does not have this endpoint: a portal without it answers `not_found`.
     */
    endSessions: Method<'endSessions'>;
  };
  /** Closes the connections once the running calls have ended. An injected axios instance is left alone. */
  close: () => Promise<void>;
}

/**
 * Creates a client of the portal's API. Keep one and share it: it holds the open connections and
 * the retry budget.
 *
 * @throws TypeError if an option is missing, unknown or not valid; the message says what to fix.
 */
export function createPortalClient(options: PortalClientOptions): PortalClient {
  const { call, close } = createCall(readOptions(options));

  const write =
    <Name extends EndpointName>(name: Name): Method<Name> =>
    async (input, callOptions) => {
      await call(name, input, callOptions);
    };

  function pages<Name extends ListName, Item>(name: Name): List<Name, Item> {
    type Filters = EndpointInput<Name>;
    const list = async (filters: Filters = {} as Filters, callOptions?: CallOptions) =>
      read(name, await call(name, filters, callOptions)) as unknown as PagedList<Item>;
    async function* iterate(filters: Filters = {} as Filters, callOptions?: CallOptions) {
      let page = await list(filters, callOptions);
      yield* page.data;
      while (page.hasNextPage) {
        const pageNumber = page.pageIndex + 1;
        page = await list({ ...(filters as object), pageNumber } as Filters, callOptions);
        if (page.pageIndex !== pageNumber)
          throw invalidAnswer(name, `is page ${page.pageIndex} where ${pageNumber} was asked for`);
        yield* page.data;
      }
    }
    return { list, iterate };
  }

  return {
    users: {
      ...pages('listUsers'),
      async create(input, callOptions) {
        const { body } = await call('createUser', input, callOptions);
        return endpoints.createUser.response.safeParse(body).data;
      },
      delete: write('deleteUser'),
      linkReports: write('linkReports'),
      unlinkReports: write('unlinkReports'),
    },
    reports: pages('listReports'),
    rls: {
      ...pages('listRlsRoles'),
      linkUsers: write('linkRlsUsers'),
      linkGroups: write('linkRlsGroups'),
      unlinkUsers: write('unlinkRlsUsers'),
      unlinkGroups: write('unlinkRlsGroups'),
    },
    audit: pages('listAuditEntries'),
    identity: {
      async mintUrl(input, callOptions) {
        const result = await call('mintIdentityUrl', input, callOptions);
        const url = read('mintIdentityUrl', result);
        const expiresIn = secondsUntil(url.expiresAt, result.answer.portalTime);
        if (Number.isNaN(expiresIn))
          throw invalidAnswer('mintIdentityUrl', 'has no date in expiresAt', result.answer);
        return { ...url, expiresIn };
      },
      endSessions: write('endSessions'),
    },
    close,
  };
}

type ListName = 'listUsers' | 'listReports' | 'listRlsRoles' | 'listAuditEntries';

function read<Name extends ListName | 'mintIdentityUrl'>(
  name: Name,
  { body, answer }: CallResult,
): EndpointResponse<Name> {
  const { data, error } = endpoints[name].response.safeParse(body);
  if (!error) return data as EndpointResponse<Name>;
  const [issue] = error.issues;
  // Not the body itself: it may hold a token.
  const where = issue?.path.length ? `at ${issue.path.join('.')}: ` : '';
  throw invalidAnswer(name, `does not fit the API (${where}${issue?.message})`, answer);
}

function invalidAnswer(name: EndpointName, what: string, answer?: CallResult['answer']) {
  const { method, path } = endpoints[name];
  return new PortalApiError(
    'portal_answer_invalid',
    `The answer to ${method} ${path} ${what}. Check that apiUrl is the portal's API and not a page in front of it.`,
    { status: answer?.status, requestId: answer?.requestId },
  );
}
