import { endpoints } from '@portal-embed/contract';
import { emptyPage, jsonAnswer } from 'test-support/fake-portal';
import { describe, expect, it } from 'vitest';

import { apiKey, client, id, portal, startPortalForEachTest, userEmail } from '../test/stage.ts';
import type { PortalClient } from './index.ts';

startPortalForEachTest();

describe('every endpoint of the table', () => {
  const user = { email: userEmail, name: 'West', role: 3 };
  const links = { userEmail, reports: [id] };
  const content = { files: { 'reports/sales.yaml': 'name: Sales' } };
  const roleUsers = { usersEmails: [userEmail], datasetId: id, role: 'West' };
  const roleGroups = { groups: [id], datasetId: id, role: 'West' };
  const calls: Record<keyof typeof endpoints, (client: PortalClient) => Promise<unknown>> = {
    listUsers: (c) => c.users.list({ name: 'We', pageNumber: 2 }),
    createUser: (c) => c.users.create(user),
    deleteUser: (c) => c.users.delete({ userEmail }),
    linkReports: (c) => c.users.linkReports(links),
    unlinkReports: (c) => c.users.unlinkReports(links),
    listReports: (c) => c.reports.list({ reportName: 'Sales & more' }),
    listRlsRoles: (c) => c.rls.list({ datasetId: id }),
    linkRlsUsers: (c) => c.rls.linkUsers(roleUsers),
    linkRlsGroups: (c) => c.rls.linkGroups(roleGroups),
    unlinkRlsUsers: (c) => c.rls.unlinkUsers(roleUsers),
    unlinkRlsGroups: (c) => c.rls.unlinkGroups(roleGroups),
    listAuditEntries: (c) => c.audit.list({ userEmail }),
    mintIdentityUrl: (c) => c.identity.mintUrl({ userEmail }),
    endSessions: (c) => c.identity.endSessions({ userEmail }),
    applyContent: (c) => c.content.apply(content),
    putDataFile: (c) => c.content.putFile({ fileName: 'a/b.csv', dryRun: true, content: 'N\n1\n' }),
  };
  const sent = {
    listUsers: '?name=We&pageNumber=2',
    listReports: '?reportName=Sales+%26+more',
    listRlsRoles: `?datasetId=${id}`,
    listAuditEntries: '?userEmail=o%27hara%2Bwest%40acme.example',
    putDataFile: '?dryRun=true',
  } as Record<string, string>;
  const bodies = {
    createUser: user,
    linkReports: links,
    unlinkReports: links,
    linkRlsUsers: roleUsers,
    unlinkRlsUsers: roleUsers,
    linkRlsGroups: roleGroups,
    unlinkRlsGroups: roleGroups,
    mintIdentityUrl: { userEmail },
    applyContent: content,
    putDataFile: 'N\n1\n',
  } as Record<string, unknown>;

  it.each(Object.entries(calls))(
    '%s sends the request of its endpoint with the key',
    async (name, call) => {
      const row = endpoints[name as keyof typeof endpoints];
      if (row.method === 'GET') portal.answer(jsonAnswer(200, emptyPage));
      if (name === 'applyContent') portal.answer(jsonAnswer(200, { changes: [], hints: [] }));
      if (name === 'putDataFile')
        portal.answer(jsonAnswer(200, { file: 'a/b.csv', datasets: [], hints: [] }));
      await call(client);
      const [request] = portal.received;
      const tail = sent[name] ?? '';
      expect(request).toMatchObject({
        method: row.method,
        url: `/prefix${row.path.replace('{userEmail}', "o'hara%2Bwest%40acme.example").replace('{fileName}', 'a%2Fb.csv')}${tail}`,
        headers: { 'x-api-key': apiKey },
      });
      expect(request!.body).toEqual(bodies[name]);
      expect(portal.received).toHaveLength(1);
    },
  );
});
