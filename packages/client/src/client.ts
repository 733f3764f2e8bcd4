import { endpoints } from '@portal-embed/contract';
import type {
  AppliedContent,
  AuditEntry,
  ChangedData,
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
import { computeExpiresIn } from './expiry.ts';
import { readOptions } from './options.ts';
import type { PortalClientOptions } from './options.ts';

/** One call of the API. It throws a `PortalApiError`. */
export type Method<Name extends EndpointName, Result = void> = (
  input: EndpointInput<Name>,
  options?: CallOptions,
) => Promise<Result>;

/** A list: one page, or all items. */
export interface List<Name extends EndpointName, Item> {
  /** One page, by default the first. */
  list: (filters?: EndpointInput<Name>, options?: CallOptions) => Promise<PagedList<Item>>;
  /** All items from the first page or `pageNumber` on. Each page is fetched when it is needed. */
  iterate: (filters?: EndpointInput<Name>, options?: CallOptions) => AsyncGenerator<Item, void>;
}

export interface MintedUrl extends IdentityUrl {
  /** Seconds until `expiresAt` by the portal's clock, so a wrong local clock does not matter. */
  expiresIn: number;
}

export interface PortalClient {
  users: List<'listUsers', User> & {
    /** Resolves to the new user, or to `undefined` if the answer contains no user. */
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
    /** Mints an identity URL, which opens the portal as one user, once, within five minutes. */
    mintUrl: Method<'mintIdentityUrl', MintedUrl>;
    /**
     * Ends a user's open sessions and unused URLs, for example when they sign out. The endpoint is
     * not in the specification: other portals answer `not_found`.
     */
    endSessions: Method<'endSessions'>;
  };
  /** Datasets, reports and roles as files. */
  content: {
    /**
     * Applies content files, all or nothing. A mistake is the error `invalid_content`, which lists
     * each place. The endpoint is not in the specification: other portals answer `not_found`.
     */
    apply: Method<'applyContent', AppliedContent>;
    /**
     * Stores a data file under its name, and brings it to the datasets that read it. A large file takes
     * longer than the default time limits: raise `attemptTimeoutMs` and `totalTimeoutMs`. The endpoint is
     * not in the specification: other portals answer `not_found`.
     */
    putFile: Method<'putDataFile', ChangedData>;
  };
  /** Closes the connections after the running calls. It does not close an injected axios instance. */
  close: () => Promise<void>;
}

/**
 * Creates a client of the portal's API. Create one and share it: it holds the open connections and
 * the retry budget.
 *
 * @throws TypeError if an option is missing, unknown or invalid.
 */
export function createPortalClient(options: PortalClientOptions): PortalClient {
  const { call, close } = createCall(readOptions(options));

  const createWrite =
    <Name extends EndpointName>(name: Name): Method<Name> =>
    async (input, callOptions) => {
      await call(name, input, callOptions);
    };

  function createList<Name extends ListName, Item>(name: Name): List<Name, Item> {
    type Filters = EndpointInput<Name>;
    const list = async (filters: Filters = {} as Filters, callOptions?: CallOptions) =>
      readResponse(name, await call(name, filters, callOptions)) as unknown as PagedList<Item>;
    async function* iterate(filters: Filters = {} as Filters, callOptions?: CallOptions) {
      let page = await list(filters, callOptions);
      yield* page.data;
      while (page.hasNextPage) {
        const pageNumber = page.pageIndex + 1;
        page = await list({ ...(filters as object), pageNumber } as Filters, callOptions);
        if (page.pageIndex !== pageNumber)
          throw createAnswerError(
            name,
            `is page ${page.pageIndex} instead of page ${pageNumber}`,
            undefined,
            'Set fieldNames.pageNumber to the parameter that selects a page in this portal.',
          );
        yield* page.data;
      }
    }
    return { list, iterate };
  }

  return {
    users: {
      ...createList('listUsers'),
      async create(input, callOptions) {
        const { body } = await call('createUser', input, callOptions);
        return endpoints.createUser.response.safeParse(body).data;
      },
      delete: createWrite('deleteUser'),
      linkReports: createWrite('linkReports'),
      unlinkReports: createWrite('unlinkReports'),
    },
    reports: createList('listReports'),
    rls: {
      ...createList('listRlsRoles'),
      linkUsers: createWrite('linkRlsUsers'),
      linkGroups: createWrite('linkRlsGroups'),
      unlinkUsers: createWrite('unlinkRlsUsers'),
      unlinkGroups: createWrite('unlinkRlsGroups'),
    },
    audit: createList('listAuditEntries'),
    identity: {
      async mintUrl(input, callOptions) {
        const result = await call('mintIdentityUrl', input, callOptions);
        const url = readResponse('mintIdentityUrl', result);
        const expiresIn = computeExpiresIn(url.expiresAt, result.answer.portalTime);
        if (Number.isNaN(expiresIn))
          throw createAnswerError('mintIdentityUrl', 'has no date in expiresAt', result.answer);
        return { ...url, expiresIn };
      },
      endSessions: createWrite('endSessions'),
    },
    content: {
      apply: async (input, callOptions) =>
        readResponse('applyContent', await call('applyContent', input, callOptions)),
      putFile: async (input, callOptions) =>
        readResponse('putDataFile', await call('putDataFile', input, callOptions)),
    },
    close,
  };
}

type ListName = 'listUsers' | 'listReports' | 'listRlsRoles' | 'listAuditEntries';

function readResponse<Name extends ListName | 'mintIdentityUrl' | 'applyContent' | 'putDataFile'>(
  name: Name,
  { body, answer }: CallResult,
): EndpointResponse<Name> {
  const { data, error } = endpoints[name].response.safeParse(body);
  if (!error) return data as EndpointResponse<Name>;
  const [issue] = error.issues;
  // The message leaves out the body, because it may contain a token.
  const where = issue?.path.length ? `at ${issue.path.join('.')}: ` : '';
  throw createAnswerError(name, `does not match the API (${where}${issue?.message})`, answer);
}

function createAnswerError(
  name: EndpointName,
  problem: string,
  answer?: CallResult['answer'],
  advice = "Check that apiUrl is the address of the portal's API.",
) {
  const { method, path } = endpoints[name];
  return new PortalApiError(
    'portal_answer_invalid',
    `The answer to ${method} ${path} ${problem}. ${advice}`,
    { status: answer?.status, requestId: answer?.requestId },
  );
}
