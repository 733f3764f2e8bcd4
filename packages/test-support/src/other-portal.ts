import { randomUUID } from 'node:crypto';

import { jsonAnswer, startFakePortal } from './fake-portal.ts';
import type { FakePortal, ReceivedRequest } from './fake-portal.ts';

/**
 * A second portal that follows the specification and differs from ours where the specification allows:
 * a path prefix, ids in upper case, unknown fields, pages of two, 200 with an empty or strange body
 * for writes, and errors without codes.
 */
export interface OtherPortal extends AsyncDisposable {
  apiUrl: string;
  apiKey: string;
  portalUrl: string;
  organizationId: string;
  datasetId: string;
  reportId: string;
  groupId: string;
}

const newId = () => randomUUID().toUpperCase();
const same = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();

interface OtherUser {
  id: string;
  email: string;
  name: string;
  role: number;
  reports: string[];
}

type Body = Record<string, never> & {
  userEmail: string;
  usersEmails: string[];
  groups: string[];
  reports: string[];
  role: string;
};

const toggle = (list: string[], members: string[], isIn: boolean) => {
  const others = list.filter((each) => !members.some((member) => same(each, member)));
  list.splice(0, list.length, ...others, ...(isIn ? members : []));
};

export async function startOtherPortal(): Promise<OtherPortal> {
  const apiKey = `other-${randomUUID()}`;
  const ids = {
    organizationId: newId(),
    datasetId: newId(),
    reportId: newId(),
    groupId: newId(),
  };
  const portalUrl = 'https://reports.other.example/acme';
  let users: OtherUser[] = [];
  const role = { id: newId(), name: 'West', users: [] as string[], groups: [] as string[] };
  const audit: object[] = [];

  const userOf = (email: string) => users.find((user) => same(user.email, email));
  const report = (id: string, name: string) => ({
    id,
    name,
    description: null,
    datasetId: ids.datasetId,
    embedUrl: 'https://bi.other.example',
    workspaceId: newId(),
    reportType: 7,
    folderId: 12,
    workspaceName: 'Sales',
    userOwner: { name: 'somebody' },
    thumbnail: 'x.png',
  });
  const reports = [report(ids.reportId, 'Orders'), report(newId(), 'B'), report(newId(), 'C')];
  const showUser = (user: OtherUser) => ({
    ...user,
    companies: [{ id: 1 }],
    groups: [],
    department: 'Sales',
    expirationDate: 1_893_456_000,
    directoryAdUser: false,
    canEditReport: false,
    canCreateReport: false,
    canOverwriteReport: false,
    lastSeen: '2024-01-01',
  });

  const handle = (request: ReceivedRequest): [status: number, body?: unknown] => {
    if (request.headers['x-api-key'] !== apiKey) return [401, { message: 'Unauthorized' }];
    const url = new URL(request.url, 'http://other.test');
    const query = (name: string) => url.searchParams.get(name)?.toLowerCase() ?? '';
    const page = (items: object[]) => {
      const pageIndex = Number(url.searchParams.get('pageNumber') ?? 1);
      const totalPages = Math.ceil(items.length / 2);
      return {
        pageIndex,
        totalPages,
        hasNextPage: pageIndex < totalPages,
        hasPreviousPage: pageIndex > 1,
        total: items.length,
        data: items.slice(pageIndex * 2 - 2, pageIndex * 2),
      };
    };
    const body = request.body as Body;
    const path = url.pathname.replace(/^\/bi\/v2/, '');
    const isLink = path.includes('/link-');
    const user = body && userOf(body.userEmail ?? '');

    switch (`${request.method} ${path}`) {
      case 'GET /api/user':
        return [
          200,
          page(users.filter(({ email }) => email.includes(query('email'))).map(showUser)),
        ];
      case 'POST /api/user': {
        const wanted = request.body as OtherUser;
        if (userOf(wanted.email)) return [409, { message: 'duplicate' }];
        users.push({ ...wanted, id: newId(), email: wanted.email.toLowerCase(), reports: [] });
        return [200, { created: true }];
      }
      case 'PUT /api/user/link-reports':
      case 'PUT /api/user/unlink-reports':
        if (!user) return [404, 'no such user'];
        toggle(
          user.reports,
          body.reports.map((id) => id.toUpperCase()),
          isLink,
        );
        return [200, { ok: true }];
      case 'GET /api/report':
        return [
          200,
          page(reports.filter(({ name }) => name.toLowerCase().includes(query('reportName')))),
        ];
      case 'GET /api/datasets/rls': {
        const userEmails = users
          .filter(({ id }) => role.users.includes(id))
          .map(({ email }) => email);
        return [200, page([{ ...role, datasetId: ids.datasetId, userEmails, filter: 'secret' }])];
      }
      case 'PUT /api/datasets/rls/link-users':
      case 'PUT /api/datasets/rls/unlink-users':
        toggle(
          role.users,
          body.usersEmails.map((email) => userOf(email)!.id),
          isLink,
        );
        return [200];
      case 'PUT /api/datasets/rls/link-groups':
      case 'PUT /api/datasets/rls/unlink-groups':
        toggle(role.groups, body.groups, isLink);
        return [202];
      case 'GET /api/report-audit':
        return [200, page(audit)];
      case 'POST /api/identity/url': {
        if (!user) return [404, 'no such user'];
        audit.push({
          id: newId(),
          createdAt: new Date().toISOString(),
          organizationId: ids.organizationId,
          userId: user.id,
          userEmail: user.email,
          reportId: ids.reportId,
          reportName: 'Orders',
          action: 1,
          actionName: 'TokenRequested',
          ip: '10.0.0.1',
        });
        const expiresAt = new Date(Date.now() + 300_000).toISOString();
        return [201, { embedUrl: `${portalUrl}/in?token=${newId()}`, expiresAt, kind: 'once' }];
      }
      default: {
        const email = decodeURIComponent(path.replace('/api/user/', ''));
        if (request.method !== 'DELETE' || !userOf(email)) return [404, 'nothing here'];
        users = users.filter((each) => !same(each.email, email));
        return [200, ''];
      }
    }
  };

  const server: FakePortal = await startFakePortal((request, response) => {
    const [status, body] = handle(request);
    // Some frameworks send an empty body like this.
    const head = body === undefined ? { 'Content-Type': 'text/html; charset=utf-8' } : {};
    jsonAnswer(status, body, head)(request, response);
  });
  return {
    ...ids,
    apiUrl: `${server.url}/bi/v2`,
    apiKey,
    portalUrl,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}
