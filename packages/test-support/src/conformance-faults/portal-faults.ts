import { answers, editUrl, isCall, moveTime, parseObject, requests } from './fault.ts';
import type { Fault, Json } from './fault.ts';
import {
  users,
  linkReports,
  unlinkReports,
  roles,
  audit,
  roleNames,
  isCallOf,
  isMint,
  isDeletion,
  lists,
  ignoreFilter,
  bodies,
  mints,
  minted,
  redirect,
  withKey,
  refuse,
  repeatFirstPage,
  distinguishCase,
  replaceLinks,
  keepGroups,
  repeatOpening,
  openExpired,
  grantReport,
  mintForAnother,
} from './portal-plants.ts';
import type { PortalContext } from './portal-plants.ts';

/** Faults that a portal could have, written from the specification alone. */
export const portalFaults = [
  {
    id: 'page-index-zero-based',
    section: 'Paged list envelope',
    behavior: 'The first page has the pageIndex 0.',
    plant: () => lists((page) => (page.pageIndex -= 1)),
  },
  {
    id: 'total-pages-missing',
    section: 'Paged list envelope',
    behavior: 'Lists have no totalPages.',
    plant: () => lists((page) => delete page.totalPages),
  },
  {
    id: 'total-pages-one-too-many',
    section: 'Paged list envelope',
    behavior: 'totalPages counts one page more than there are.',
    plant: () => lists((page) => (page.totalPages += 1)),
  },
  {
    id: 'has-next-page-always-false',
    section: 'Paged list envelope',
    behavior: 'hasNextPage is false although a further page exists.',
    plant: () => lists((page) => (page.hasNextPage = false)),
  },
  {
    id: 'second-audit-page-repeats-first',
    section: 'Endpoints, rule 2',
    behavior: 'The second page of the audit log has the entries of the first.',
    plant: () => repeatFirstPage,
  },
  {
    id: 'user-role-as-name',
    section: 'User',
    behavior: 'The role of a user is the name of the role, not its number.',
    plant: () =>
      answers(isCallOf('GET', users), ({ data }) => {
        for (const user of data) user.role = roleNames[user.role];
      }),
  },
  {
    id: 'user-name-filter-ignored',
    section: 'Endpoints, 1',
    behavior: 'The list of users ignores the filter by name.',
    plant: () => ignoreFilter(users, 'name'),
  },
  {
    id: 'user-email-filter-ignored',
    section: 'Endpoints, 1',
    behavior: 'The list of users ignores the filter by e-mail address.',
    plant: () => ignoreFilter(users, 'email'),
  },
  {
    id: 'role-five-accepted',
    section: 'Limits',
    behavior: 'A user with the role 5 is created as a viewer.',
    plant: () => bodies('POST', users, (body) => (body.role = body.role === 5 ? 3 : body.role)),
  },
  {
    id: 'created-role-always-viewer',
    section: 'Endpoints, 2',
    behavior: 'Every created user is a viewer, whatever role was asked for.',
    plant: () =>
      bodies('POST', users, (body) => {
        if ([1, 2, 4].includes(body.role)) body.role = 3;
      }),
  },
  {
    id: 'delete-path-not-decoded',
    section: 'Endpoints',
    behavior: 'The URL-encoded e-mail address in the path of a deletion is not decoded.',
    plant: () =>
      requests(isDeletion, (request) => ({
        ...request,
        path: request.path.replaceAll('%', '%25'),
      })),
  },
  {
    id: 'email-case-sensitive',
    section: 'User',
    behavior: 'An e-mail address in another case than the stored one identifies nobody.',
    plant: distinguishCase,
  },
  {
    id: 'link-reports-replaces',
    section: 'Endpoints, 4',
    behavior: 'Linking reports takes away the reports that the user already had.',
    plant: replaceLinks,
  },
  {
    id: 'unlink-reports-links',
    section: 'Endpoints, 5',
    behavior: 'Unlinking reports links them.',
    plant: () => redirect(unlinkReports, linkReports),
  },
  {
    id: 'report-name-filter-ignored',
    section: 'Endpoints, 6',
    behavior: 'The list of reports ignores the filter by name.',
    plant: () => ignoreFilter('/api/report', 'reportName'),
  },
  {
    id: 'workspace-name-filter-ignored',
    section: 'Endpoints, 6',
    behavior: 'The list of reports ignores the filter by the name of the workspace.',
    plant: () => ignoreFilter('/api/report', 'workspaceName'),
  },
  {
    id: 'role-dataset-filter-ignored',
    section: 'Endpoints, 7',
    behavior: 'The list of roles ignores the filter by dataset.',
    plant: () => ignoreFilter(roles, 'datasetId'),
  },
  {
    id: 'role-user-emails-empty',
    section: 'RlsRole',
    behavior: 'userEmails of a role is empty although users are linked.',
    plant: () =>
      answers(isCallOf('GET', roles), ({ data }) => {
        for (const role of data) role.userEmails = [];
      }),
  },
  {
    id: 'role-link-first-user-only',
    section: 'Endpoints, 8',
    behavior: 'Linking a role to several users links the first one alone.',
    plant: () =>
      bodies('PUT', `${roles}/link-users`, (body) => {
        body.usersEmails = body.usersEmails?.slice(0, 1);
      }),
  },
  {
    id: 'role-unlink-users-links',
    section: 'Endpoints, 10',
    behavior: 'Unlinking a role from users links it to them.',
    plant: () => redirect(`${roles}/unlink-users`, `${roles}/link-users`),
  },
  {
    id: 'role-unlink-groups-does-nothing',
    section: 'Endpoints, 11',
    behavior: 'Unlinking a role from groups succeeds and changes nothing.',
    plant: keepGroups,
  },
  {
    id: 'audit-user-filter-ignored',
    section: 'Endpoints, 12',
    behavior: 'The audit log ignores the filter by e-mail address.',
    plant: () => ignoreFilter(audit, 'userEmail'),
  },
  {
    id: 'audit-report-filter-ignored',
    section: 'Endpoints, 12',
    behavior: 'The audit log ignores the filter by the name of the report.',
    plant: () => ignoreFilter(audit, 'reportName'),
  },
  {
    id: 'access-not-audited',
    section: 'Events',
    behavior: 'The audit log has no entry for an access by an identity URL.',
    plant: () => {
      const planted = Date.now();
      return answers(isCallOf('GET', audit), (page) => {
        page.data = page.data.filter(({ createdAt }: Json) => Date.parse(createdAt) < planted);
      });
    },
  },
  {
    id: 'audit-created-at-without-zone',
    section: 'AuditEntry',
    behavior: 'createdAt of an entry names no time zone.',
    plant: () =>
      answers(isCallOf('GET', audit), ({ data }) => {
        for (const entry of data) entry.createdAt = entry.createdAt.replace('Z', '');
      }),
  },
  {
    id: 'wrong-key-accepted',
    section: 'Authentication, 1',
    behavior: 'A request with an unknown API key is answered like one with a valid key.',
    plant: (context) => async (request, forward) => {
      const answer = await forward(request);
      const hasWrongKey = answer.status === 401 && request.headers['x-api-key'];
      return hasWrongKey ? forward(withKey(request, context)) : answer;
    },
  },
  {
    id: 'audit-open-without-key',
    section: 'Endpoints',
    behavior: 'The audit log is served to requests without an API key.',
    plant: (context) =>
      requests(
        (request) => isCall(request, 'GET', audit) && !request.headers['x-api-key'],
        (request) => withKey(request, context),
      ),
  },
  {
    id: 'key-permissions-not-enforced',
    section: 'Authentication, 3',
    behavior: 'A key restricted to some endpoints opens all of them.',
    plant: (context) => async (request, forward) => {
      const answer = await forward(request);
      return answer.status === 403 ? forward(withKey(request, context)) : answer;
    },
  },
  {
    id: 'token-works-twice',
    section: 'States and transitions, 2',
    behavior: 'An identity URL can be opened a second time.',
    plant: repeatOpening,
  },
  {
    id: 'expires-in-an-hour',
    section: 'Limits',
    behavior: 'expiresAt is an hour after the issue, not five minutes.',
    plant: () =>
      minted((result) => {
        result.expiresAt = moveTime(result.expiresAt, 55);
      }),
  },
  {
    id: 'token-outlives-expiry',
    section: 'States and transitions, 1',
    behavior: 'An identity URL can be opened for the first time after expiresAt.',
    plant: openExpired,
  },
  {
    id: 'return-url-missing',
    section: 'Identity URL result',
    behavior: 'The identity URL of a single report has no returnUrl.',
    plant: () =>
      minted((result) => {
        result.embedUrl = editUrl(result.embedUrl, (query) => query.delete('returnUrl'));
      }),
  },
  {
    id: 'half-report-accepted',
    section: 'POST /api/identity/url, rule 2',
    behavior: 'A reportId without an organizationId gets a URL of the whole portal.',
    plant: () =>
      mints((body) => {
        if (body.reportId && body.organizationId) return;
        delete body.reportId;
        delete body.organizationId;
      }),
  },
  {
    id: 'missing-user-email-accepted',
    section: 'POST /api/identity/url, userEmail',
    behavior: 'A request without a userEmail gets the URL of some user.',
    plant: ({ userEmail }) => mints((body) => (body.userEmail ??= userEmail)),
  },
  {
    id: 'base-url-required',
    section: 'POST /api/identity/url, baseUrl',
    behavior: 'A request without a baseUrl is refused.',
    plant: () => async (request, forward) =>
      isMint(request) && parseObject(request.body)?.baseUrl === undefined
        ? refuse(400, 'baseUrl is missing.')
        : forward(request),
  },
  {
    id: 'report-access-not-checked',
    section: 'States and transitions, 3',
    behavior: 'A report opens for a user who has no access to it.',
    plant: grantReport,
  },
  {
    id: 'token-of-another-user',
    section: 'States and transitions, 3',
    behavior: 'Every identity URL opens the portal as the same one user.',
    plant: mintForAnother,
  },
  {
    id: 'custom-filters-ignored',
    section: 'POST /api/identity/url, customFilters',
    behavior: 'A report requested with customFilters opens without them.',
    plant: () => mints((body) => delete body.customFilters),
  },
  {
    id: 'embed-flag-ignored',
    section: 'POST /api/identity/url, embed',
    behavior: 'The embed flag hides neither menu nor navigation bar nor sidebar.',
    plant: () => mints((body) => delete body.embed),
  },
  {
    id: 'accept-any-refused',
    section: 'What the service does',
    behavior: 'A request that accepts */* is refused.',
    plant: () => async (request, forward) =>
      request.headers['accept'] === '*/*' ? refuse(406, 'Not acceptable.') : forward(request),
  },
] as const satisfies readonly Fault<PortalContext>[];
