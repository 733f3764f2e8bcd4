import { auditActionNames, auditActions, emailKey } from '@portal-embed/contract';
import type {
  EndpointName,
  EndpointRequest,
  EndpointResponse,
  PagedList,
  RlsRole,
  User,
} from '@portal-embed/contract';

import type { IdentityUrls } from '../page/identity-urls.ts';
import type { Organization } from './organization.ts';
import { Refusal } from './refusal.ts';

/** The request of a minted URL. */
export type MintRequest = EndpointRequest<'mintIdentityUrl'>;

/** What the handlers read and change. */
export interface HandlerContext {
  organization: Organization;
  organizationId: string;
  urls: IdentityUrls<MintRequest>;
  /** Default of `baseUrl`. */
  portalUrl: string;
  validSeconds: number;
  /** Ends the pages of a user. */
  endPages: (email: string) => void;
}

type Handlers = {
  [Name in EndpointName]: (
    context: HandlerContext,
    request: EndpointRequest<Name>,
  ) => EndpointResponse<Name>;
};

function findUser({ organization }: HandlerContext, email: string): User {
  const user = organization.findUser(email);
  if (user) return user;
  throw new Refusal(
    'user_not_found',
    `The fake portal has no user ${email}. Add the user to the option users, or create them with POST /api/user.`,
  );
}

function findRole(
  { organization }: HandlerContext,
  wanted: { datasetId: string; role: string },
): RlsRole {
  const role = organization.roles.find(
    ({ datasetId, name }) => datasetId === wanted.datasetId && name === wanted.role,
  );
  if (role) return role;
  throw new Refusal(
    'role_not_found',
    `The dataset ${wanted.datasetId} of the fake portal has no role ${wanted.role}. Add it to the option roles.`,
  );
}

function requireKnown(kind: string, ids: readonly string[], known: readonly string[]): void {
  const unknown = ids.filter((id) => !known.includes(id));
  if (unknown.length === 0) return;
  throw new Refusal(
    'unknown_references',
    `Unknown ${kind}: ${unknown.join(', ')}. The fake portal has ${known.join(', ') || 'none'}.`,
  );
}

const link = (list: string[], members: readonly string[]) =>
  list.push(...members.filter((member) => !list.includes(member)));
const unlink = (list: string[], members: readonly string[]) =>
  list.splice(0, list.length, ...list.filter((each) => !members.includes(each)));

const contains = (text: string, part = '') => text.toLowerCase().includes(part.toLowerCase());

function paginate<Item>(
  items: Item[],
  { pageNumber, pageSize }: { pageNumber: number; pageSize: number },
): PagedList<Item> {
  const totalPages = Math.ceil(items.length / pageSize);
  return {
    pageIndex: pageNumber,
    totalPages,
    hasNextPage: pageNumber < totalPages,
    hasPreviousPage: pageNumber > 1,
    data: items.slice((pageNumber - 1) * pageSize, pageNumber * pageSize),
  };
}

const withEmails = (role: RlsRole, users: User[]): RlsRole => ({
  ...role,
  userEmails: users.filter(({ id }) => role.users.includes(id)).map(({ email }) => email),
});

const changeReports =
  (change: typeof link | typeof unlink) =>
  (context: HandlerContext, request: EndpointRequest<'linkReports'>) => {
    const user = findUser(context, request.userEmail);
    const known = context.organization.reports.map(({ id }) => id);
    requireKnown('reports', request.reports, known);
    change(user.reports, request.reports);
  };

const changeRoleUsers =
  (change: typeof link | typeof unlink) =>
  (context: HandlerContext, request: EndpointRequest<'linkRlsUsers'>) => {
    const role = findRole(context, request);
    const known = context.organization.users.map(({ email }) => emailKey(email));
    requireKnown('users', request.usersEmails.map(emailKey), known);
    change(
      role.users,
      request.usersEmails.map((email) => findUser(context, email).id),
    );
  };

const changeRoleGroups =
  (change: typeof link | typeof unlink) =>
  (context: HandlerContext, request: EndpointRequest<'linkRlsGroups'>) => {
    const role = findRole(context, request);
    requireKnown('groups', request.groups, context.organization.groups);
    change(role.groups, request.groups);
  };

function mint(context: HandlerContext, request: MintRequest) {
  const { organization, organizationId, urls, validSeconds } = context;
  if (request.organizationId !== undefined && request.organizationId !== organizationId)
    throw new Refusal(
      'organization_mismatch',
      `The API key belongs to the organization ${organizationId}.`,
    );
  const user = findUser(context, request.userEmail);
  if (Date.parse(String(user.expirationDate)) <= Date.now())
    throw new Refusal('user_expired', `${user.email} has expired.`);
  const { reportId } = request;
  if (reportId !== undefined) {
    if (!user.reports.includes(reportId))
      throw new Refusal(
        'report_not_accessible',
        `${user.email} has no access to the report ${reportId}. Link it, or add it to reports.`,
      );
    organization.auditEntries.push({
      id: organization.newId(5),
      createdAt: new Date().toISOString(),
      organizationId,
      userId: user.id,
      userEmail: request.userEmail,
      reportId,
      reportName: organization.reports.find(({ id }) => id === reportId)?.name ?? '',
      action: auditActions.tokenRequested,
      actionName: auditActionNames[auditActions.tokenRequested]!,
    });
  }
  const { embedUrl, expiresAt } = urls.mint(request, {
    portalUrl: request.baseUrl ?? context.portalUrl,
    ...(reportId === undefined
      ? {}
      : { path: `/organizations/${organizationId}/reports/${reportId}` }),
    validSeconds,
  });
  return { embedUrl, expiresAt, frameChannel: true as const };
}

/** The endpoints of the fake portal. */
export const handlers: Handlers = {
  listUsers: ({ organization }, { name, email, ...page }) =>
    paginate(
      organization.users
        .filter((user) => contains(user.name, name) && contains(user.email, email))
        .toSorted((a, b) => a.email.localeCompare(b.email)),
      page,
    ),
  createUser: ({ organization }, { email, name, role }) => {
    if (organization.findUser(email))
      throw new Refusal('user_exists', `The fake portal already has the user ${email}.`);
    return organization.addUser({ email, name, role });
  },
  deleteUser: (context, { userEmail }) => {
    const { organization } = context;
    const user = findUser(context, userEmail);
    organization.users.splice(organization.users.indexOf(user), 1);
    for (const role of organization.roles) unlink(role.users, [user.id]);
    context.endPages(user.email);
  },
  linkReports: changeReports(link),
  unlinkReports: changeReports(unlink),
  listReports: ({ organization }, { reportName, workspaceName, ...page }) =>
    paginate(
      organization.reports.filter(
        (report) =>
          contains(report.name, reportName) && contains(report.workspaceName, workspaceName),
      ),
      page,
    ),
  listRlsRoles: ({ organization }, { datasetId, ...page }) =>
    paginate(
      organization.roles
        .filter((role) => datasetId === undefined || role.datasetId === datasetId)
        .map((role) => withEmails(role, organization.users)),
      page,
    ),
  linkRlsUsers: changeRoleUsers(link),
  linkRlsGroups: changeRoleGroups(link),
  unlinkRlsUsers: changeRoleUsers(unlink),
  unlinkRlsGroups: changeRoleGroups(unlink),
  listAuditEntries: (
    { organization },
    { userEmail, reportName, reportId, action, from, to, ...page },
  ) =>
    paginate(
      organization.auditEntries
        .filter(
          (entry) =>
            (userEmail === undefined || emailKey(entry.userEmail) === emailKey(userEmail)) &&
            contains(entry.reportName, reportName) &&
            (reportId === undefined || entry.reportId === reportId) &&
            (action === undefined || entry.action === action) &&
            (from === undefined || entry.createdAt >= from) &&
            (to === undefined || entry.createdAt < to),
        )
        .toReversed(),
      page,
    ),
  mintIdentityUrl: mint,
  endSessions: (context, { userEmail }) => context.endPages(findUser(context, userEmail).email),
  // Host applications do not use content, so it is accepted and not stored.
  applyContent: () => ({ changes: [], hints: [] }),
  putDataFile: (_, { fileName }) => ({ file: fileName, datasets: [], hints: [] }),
};
