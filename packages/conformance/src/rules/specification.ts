/**
 * The points of the specification, section by section: what a rule can check, and what the
 * specification leaves open (`open`), about which the kit only reports.
 */
export const specification = {
  requests: {
    title: 'Addresses and bodies',
    points: {
      base: 'All paths are below one base address and carry no version',
      json: 'Bodies are JSON',
      accept: 'Accept may be application/json or */*',
    },
  },
  authentication: {
    title: 'Authentication',
    points: {
      header: 'Every request carries X-API-Key',
      settings: 'Keys come from the Settings menu of the administration',
      limited: 'A key can be limited to a subset of the endpoints',
      endUser: 'userEmail of an identity URL names the end user and is no credential',
      open: 'Permissions, and format, lifetime and rotation of keys',
    },
  },
  lists: {
    title: 'Paged lists',
    points: {
      pageIndex: 'pageIndex, from 1',
      totalPages: 'totalPages',
      hasNextPage: 'hasNextPage',
      hasPreviousPage: 'hasPreviousPage',
      data: 'data, the items',
      unfiltered: 'Without parameters, a list is unfiltered and starts at its first page',
      pageNumber: 'pageNumber selects a page of the access log',
      open: 'Paging parameters of the other lists, page sizes, and how filters match',
    },
  },
  users: {
    title: 'Users',
    points: {
      id: 'id',
      email: 'email',
      name: 'name',
      role: 'role',
      reports: 'reports',
      companies: 'companies',
      groups: 'groups',
      reportLandingPage: 'reportLandingPage',
      department: 'department',
      expirationDate: 'expirationDate',
      directoryAdUser: 'directoryAdUser',
      canEditReport: 'canEditReport',
      canCreateReport: 'canCreateReport',
      canOverwriteReport: 'canOverwriteReport',
      list: 'Endpoint 1 lists users, with the filters name and email',
      create: 'Endpoint 2 creates a user from email, name and role',
      roleRange: 'A role is an integer from 1 to 4',
      delete: 'Endpoint 3 deletes the user of the e-mail in its path',
      linkReports: 'Endpoint 4 grants a user the listed reports',
      unlinkReports: 'Endpoint 5 takes the listed reports from a user',
      open: 'Types of the fields that are only shown as null, and of companies',
    },
  },
  reports: {
    title: 'Reports',
    points: {
      id: 'id',
      name: 'name',
      description: 'description',
      datasetId: 'datasetId',
      embedUrl: 'embedUrl',
      workspaceId: 'workspaceId',
      reportType: 'reportType',
      folderId: 'folderId',
      workspaceName: 'workspaceName',
      userOwner: 'userOwner',
      list: 'Endpoint 6 lists reports, with the filters reportName and workspaceName',
      platform: 'The id is that of the underlying platform',
      open: 'Values of reportType, and types of folderId and userOwner',
    },
  },
  roles: {
    title: 'Row-level-security roles',
    points: {
      id: 'id',
      name: 'name',
      users: 'users',
      groups: 'groups',
      datasetId: 'datasetId',
      userEmails: 'userEmails',
      list: 'Endpoint 7 lists roles, with the filter datasetId',
      linkUsers: 'Endpoint 8 links a role to users',
      linkGroups: 'Endpoint 9 links a role to groups',
      unlinkUsers: 'Endpoint 10 unlinks a role from users',
      unlinkGroups: 'Endpoint 11 unlinks a role from groups',
      open: 'Names of the fields in the bodies of endpoints 9, 10 and 11',
    },
  },
  audit: {
    title: 'Access log',
    points: {
      id: 'id',
      createdAt: 'createdAt',
      organizationId: 'organizationId',
      userId: 'userId',
      userEmail: 'userEmail',
      reportId: 'reportId',
      reportName: 'reportName',
      action: 'action',
      actionName: 'actionName',
      list: 'Endpoint 12 lists entries, with the filters userEmail and reportName',
      recorded: 'Every access to a report is recorded, with the e-mail of the identity URL',
      open: 'Other actions and filters',
    },
  },
  identity: {
    title: 'Identity URLs',
    points: {
      embedUrl: 'embedUrl, an address with a token, and with returnUrl for one report',
      expiresAt: 'expiresAt',
      fiveMinutes: 'A URL is valid for five minutes',
      expires: 'A URL cannot be opened after that',
      once: 'A URL opens once; another opening needs another URL',
      user: 'The token identifies the user of the request, with their access and their rows',
      userEmail: 'userEmail is required, and nothing else is',
      baseUrl: 'baseUrl selects the subdomain',
      pair: 'reportId and organizationId come together',
      flags: 'hideMenu, hideNavbar, hideSidebar and embed',
      customFilters: 'customFilters opens a report with filters applied',
      wholePortal: 'Without a report, the whole portal opens',
      frame: 'The URL is the source of an iframe',
      open: 'Defaults of the flags, meaning of filters, unknown users and reports',
    },
  },
  answers: {
    title: 'Statuses, errors and limits',
    points: {
      open: 'Success statuses, answers to writes, errors and rate limits',
    },
  },
} as const;

/** The points of the host endpoint's contract. */
export const hostSpecification = {
  method: {
    title: 'Method and address',
    points: {
      post: 'POST returns a URL',
      others: 'Other methods get 405, with Allow: POST',
      open: 'GET {mount}/open redirects to a URL',
    },
  },
  session: {
    title: 'User and tenant',
    points: {
      signedOut: 'Without a session, the answer is 401 not_signed_in',
      fromSession: 'User and tenant come from the session and the host name',
      unknownTenant: 'A host name without a tenant gets 404 unknown_tenant',
    },
  },
  origin: {
    title: 'Other origins',
    points: {
      crossSite: 'Requests of other sites get 403 cross_site',
      cors: 'Only allowed origins get CORS headers',
    },
  },
  body: {
    title: 'Request body',
    points: {
      json: 'Only valid, uncompressed JSON is accepted',
      fields: 'Unknown fields are refused',
      reportId: 'reportId',
      flags: 'hideMenu, hideNavbar, hideSidebar and embed',
      customFilters: 'customFilters, of 16 kB at most',
      size: 'At most 256 kB',
    },
  },
  answer: {
    title: 'Answer',
    points: {
      embedUrl: 'embedUrl',
      expiresAt: 'expiresAt',
      expiresIn: 'expiresIn, in seconds',
      fresh: 'Each answer has a new URL',
      noStore: 'No answer may be stored',
      errors: 'Errors are problem details with a code of the contract and a request id',
      secrets: 'No answer contains the API key',
      policy: "The host's policy and its locked filters apply",
      portal: 'Failures of the portal have codes of their own',
      limits: 'A user who asks too often gets 429 with Retry-After',
    },
  },
} as const;

interface Section {
  title: string;
  points: Readonly<Record<string, string>>;
}

/** A section and a point, such as `users.email`. */
type PointOf<Sections> = {
  [Name in keyof Sections & string]: Sections[Name] extends { points: infer Points }
    ? `${Name}.${keyof Points & string}`
    : never;
}[keyof Sections & string];

export type PortalPoint = PointOf<typeof specification>;
export type HostPoint = PointOf<typeof hostSpecification>;

/** Lists all points of a specification. */
export const listPoints = (sections: Readonly<Record<string, Section>>): string[] =>
  Object.entries(sections).flatMap(([section, { points }]) =>
    Object.keys(points).map((point) => `${section}.${point}`),
  );

const sections: Readonly<Record<string, Section>> = { ...specification, ...hostSpecification };

/** Returns the title of a point's section. */
export const findTitle = (point: string): string => sections[point.split('.')[0]!]!.title;
