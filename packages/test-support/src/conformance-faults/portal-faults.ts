/** A way in which a server violates one sentence of the API specification. */
export interface Fault {
  readonly id: string;
  /** The section of the specification whose sentence is violated. */
  readonly section: string;
  /** What the faulty server does. */
  readonly behavior: string;
}

/** Faults that a portal could have, written from the specification alone. */
export const portalFaults = [
  {
    id: 'page-index-zero-based',
    section: 'Paged list envelope',
    behavior: 'The first page has the pageIndex 0.',
  },
  {
    id: 'total-pages-missing',
    section: 'Paged list envelope',
    behavior: 'Lists have no totalPages.',
  },
  {
    id: 'total-pages-one-too-many',
    section: 'Paged list envelope',
    behavior: 'totalPages counts one page more than there are.',
  },
  {
    id: 'has-next-page-always-false',
    section: 'Paged list envelope',
    behavior: 'hasNextPage is false although a further page exists.',
  },
  {
    id: 'second-audit-page-repeats-first',
    section: 'Endpoints, rule 2',
    behavior: 'The second page of the audit log has the entries of the first.',
  },
  {
    id: 'user-role-as-name',
    section: 'User',
    behavior: 'The role of a user is the name of the role, not its number.',
  },
  {
    id: 'user-name-filter-ignored',
    section: 'Endpoints, 1',
    behavior: 'The list of users ignores the filter by name.',
  },
  {
    id: 'user-email-filter-ignored',
    section: 'Endpoints, 1',
    behavior: 'The list of users ignores the filter by e-mail address.',
  },
  {
    id: 'role-five-accepted',
    section: 'Limits',
    behavior: 'A user with the role 5 is created as a viewer.',
  },
  {
    id: 'created-role-always-viewer',
    section: 'Endpoints, 2',
    behavior: 'Every created user is a viewer, whatever role was asked for.',
  },
  {
    id: 'delete-path-not-decoded',
    section: 'Endpoints',
    behavior: 'The URL-encoded e-mail address in the path of a deletion is not decoded.',
  },
  {
    id: 'email-case-sensitive',
    section: 'User',
    behavior: 'An e-mail address in another case than the stored one identifies nobody.',
  },
  {
    id: 'link-reports-replaces',
    section: 'Endpoints, 4',
    behavior: 'Linking reports takes away the reports that the user already had.',
  },
  {
    id: 'unlink-reports-links',
    section: 'Endpoints, 5',
    behavior: 'Unlinking reports links them.',
  },
  {
    id: 'report-name-filter-ignored',
    section: 'Endpoints, 6',
    behavior: 'The list of reports ignores the filter by name.',
  },
  {
    id: 'workspace-name-filter-ignored',
    section: 'Endpoints, 6',
    behavior: 'The list of reports ignores the filter by the name of the workspace.',
  },
  {
    id: 'role-dataset-filter-ignored',
    section: 'Endpoints, 7',
    behavior: 'The list of roles ignores the filter by dataset.',
  },
  {
    id: 'role-user-emails-empty',
    section: 'RlsRole',
    behavior: 'userEmails of a role is empty although users are linked.',
  },
  {
    id: 'role-link-first-user-only',
    section: 'Endpoints, 8',
    behavior: 'Linking a role to several users links the first one alone.',
  },
  {
    id: 'role-unlink-users-links',
    section: 'Endpoints, 10',
    behavior: 'Unlinking a role from users links it to them.',
  },
  {
    id: 'role-unlink-groups-does-nothing',
    section: 'Endpoints, 11',
    behavior: 'Unlinking a role from groups succeeds and changes nothing.',
  },
  {
    id: 'audit-user-filter-ignored',
    section: 'Endpoints, 12',
    behavior: 'The audit log ignores the filter by e-mail address.',
  },
  {
    id: 'audit-report-filter-ignored',
    section: 'Endpoints, 12',
    behavior: 'The audit log ignores the filter by the name of the report.',
  },
  {
    id: 'access-not-audited',
    section: 'Events',
    behavior: 'The audit log has no entry for an access by an identity URL.',
  },
  {
    id: 'audit-created-at-without-zone',
    section: 'AuditEntry',
    behavior: 'createdAt of an entry names no time zone.',
  },
  {
    id: 'wrong-key-accepted',
    section: 'Authentication, 1',
    behavior: 'A request with an unknown API key is answered like one with a valid key.',
  },
  {
    id: 'audit-open-without-key',
    section: 'Endpoints',
    behavior: 'The audit log is served to requests without an API key.',
  },
  {
    id: 'key-permissions-not-enforced',
    section: 'Authentication, 3',
    behavior: 'A key restricted to some endpoints opens all of them.',
  },
  {
    id: 'token-works-twice',
    section: 'States and transitions, 2',
    behavior: 'An identity URL can be opened a second time.',
  },
  {
    id: 'expires-in-an-hour',
    section: 'Limits',
    behavior: 'expiresAt is an hour after the issue, not five minutes.',
  },
  {
    id: 'token-outlives-expiry',
    section: 'States and transitions, 1',
    behavior: 'An identity URL can be opened for the first time after expiresAt.',
  },
  {
    id: 'return-url-missing',
    section: 'Identity URL result',
    behavior: 'The identity URL of a single report has no returnUrl.',
  },
  {
    id: 'half-report-accepted',
    section: 'POST /api/identity/url, rule 2',
    behavior: 'A reportId without an organizationId gets a URL of the whole portal.',
  },
  {
    id: 'missing-user-email-accepted',
    section: 'POST /api/identity/url, userEmail',
    behavior: 'A request without a userEmail gets the URL of some user.',
  },
  {
    id: 'base-url-required',
    section: 'POST /api/identity/url, baseUrl',
    behavior: 'A request without a baseUrl is refused.',
  },
  {
    id: 'report-access-not-checked',
    section: 'States and transitions, 3',
    behavior: 'A report opens for a user who has no access to it.',
  },
  {
    id: 'token-of-another-user',
    section: 'States and transitions, 3',
    behavior: 'Every identity URL opens the portal as the same one user.',
  },
  {
    id: 'custom-filters-ignored',
    section: 'POST /api/identity/url, customFilters',
    behavior: 'A report requested with customFilters opens without them.',
  },
  {
    id: 'embed-flag-ignored',
    section: 'POST /api/identity/url, embed',
    behavior: 'The embed flag hides neither menu nor navigation bar nor sidebar.',
  },
  {
    id: 'accept-any-refused',
    section: 'What the service does',
    behavior: 'A request that accepts */* is refused.',
  },
] as const satisfies readonly Fault[];
