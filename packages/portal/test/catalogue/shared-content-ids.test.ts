import { randomUUID } from 'node:crypto';
import path from 'node:path';

import { auditActions } from '@portal-embed/contract';
import { sql } from 'kysely';
import { send } from 'test-support';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { linkGroupReports } from '../../src/access/report-links.ts';
import { linkReports } from '../../src/access/report-links.ts';
import { linkUsers } from '../../src/access/role-links.ts';
import { listRoles } from '../../src/access/roles.ts';
import { signInAs, type AdminBrowser } from '../support/admin.ts';
import { insertAuditEntries } from '../support/audit.ts';
import { apply, ordersDataset, ordersReport, writeFiles } from '../support/content-files.ts';
import { ordersCsv } from '../support/orders.ts';
import { startTestPortal, type TestPortal } from '../support/portal.ts';
import { listSides, type Side } from '../support/sides.ts';
import { startSession, view } from '../support/viewer.ts';

const page = { pageNumber: 1, pageSize: 50 };

let portal: TestPortal;
let sides: Side[];
beforeAll(async () => {
  portal = await startTestPortal();
  sides = listSides(portal);
});
afterAll(() => portal.close());

describe('content with the ID of another organization’s content', () => {
  // A dataset and a report may have the same ID, too.
  const id = randomUUID();
  const textOf = (own: string, kind: string) =>
    kind === 'datasets'
      ? `id: ${id}\n${ordersDataset.replace('name: Orders', `name: Orders of ${own}`)}`
      : `id: ${id}\n${ordersReport
          .replace('Order overview', `Overview of ${own}`)
          .replace('dataset: orders', 'dataset: shared')}`;
  let browsers: AdminBrowser[];
  let opened: Date;
  beforeAll(async () => {
    browsers = [];
    for (const { organization, ctx, own } of sides) {
      writeFiles(path.join(portal.datasetFolder, organization.id), { 'orders.csv': ordersCsv });
      for (const kind of ['datasets', 'reports']) {
        const author = { ...ctx, actor: { kind: 'operator', name: `${own} ${kind}` } } as const;
        const files = { [`${kind}/shared.yaml`]: textOf(own, kind) };
        await apply(author, portal.datasetFolder, { files });
      }
      browsers.push(await signInAs(portal, organization, 1, `admin@${own}.example`));
    }
    const { acme, globex, db } = portal;
    for (const userEmail of [acme.emails.east, acme.emails.none, acme.emails.outsider])
      await linkReports(acme.ctx, { userEmail, reports: [id] });
    await linkReports(globex.ctx, { userEmail: globex.emails.west, reports: [id] });
    await linkGroupReports(globex.ctx, { group: 'Leads', reports: [id] });
    opened = new Date(Date.now() - 60_000);
    const { east } = acme.emails;
    await insertAuditEntries(db, { id: acme.id, reportId: id }, [
      { email: east, days: 1 },
      { email: east, at: opened },
      { email: east, days: 2 },
      // Exports and viewing as another user do not count as openings.
      { email: east, action: auditActions.reportExported },
      { email: east, action: auditActions.viewedAs },
    ]);
    await insertAuditEntries(db, { id: globex.id, reportId: id }, [{ email: 'x', days: 0 }]);
  });

  const read = async (index: number, rest: string) => {
    const { id: organizationId } = sides[index]!.organization;
    const answer = await browsers[index]!.send('GET', `/organizations/${organizationId}${rest}`);
    expect([answer.status, answer.body]).toEqual([200, expect.anything()]);
    return answer.json();
  };

  it('a report with the ID of another organization’s report has its own readers, author and latest opening', async () => {
    const [ofAcme, ofGlobex] = [await read(0, `/reports/${id}`), await read(1, `/reports/${id}`)];
    expect(ofAcme).toMatchObject({
      name: 'Overview of acme',
      dataset: { name: 'Orders of acme' },
      readers: 3,
      lastOpenedAt: opened.toISOString(),
      savedBy: 'acme reports',
    });
    expect(ofGlobex).toMatchObject({
      dataset: { name: 'Orders of globex' },
      readers: 2,
      savedBy: 'globex reports',
    });
  });

  it('two reports of one ID in two organizations have separate groups and users with access', async () => {
    const { acme, globex } = portal;
    const [ofAcme, ofGlobex] = [
      await read(0, `/reports/${id}/access`),
      await read(1, `/reports/${id}/access`),
    ];
    expect(ofAcme).toMatchObject({ groups: [], users: { totalCount: 3 } });
    const emails = ofAcme.users.items.map(({ email }: { email: string }) => email);
    expect(emails).toEqual([acme.emails.east, acme.emails.none, acme.emails.outsider]);
    expect(ofGlobex).toMatchObject({
      groups: [{ name: 'Leads', members: 1 }],
      users: { totalCount: 1, items: [{ email: globex.emails.west }] },
    });
  });

  it('a dataset with the ID of another organization’s dataset has its own author, reports and roles', async () => {
    for (const [index, { own }] of sides.entries()) {
      const found = await read(index, `/datasets/${id}`);
      expect(found).toMatchObject({
        name: `Orders of ${own}`,
        savedBy: `${own} datasets`,
        reports: [{ name: `Overview of ${own}` }],
        roles: [{ name: 'East' }, { name: 'West' }],
      });
      const { datasets } = await read(index, '/datasets');
      const listed = datasets.filter((dataset: { id: string }) => dataset.id === id);
      expect(listed).toMatchObject([{ name: `Orders of ${own}`, reports: 1, roles: 2 }]);
      const { roles } = await read(index, `/reports/${id}/roles`);
      expect(roles).toMatchObject([{ name: 'East' }, { name: 'West' }]);
    }
  });

  it('a definition with the ID of another organization’s definition has its own text and versions', async () => {
    for (const [index, { own }] of sides.entries())
      for (const kind of ['datasets', 'reports']) {
        const file = `/definitions/${kind}/${id}`;
        const text = textOf(own, kind);
        expect(await read(index, file)).toMatchObject({ text });
        const { versions } = await read(index, `${file}/versions`);
        expect(versions).toMatchObject([{ version: 1, savedBy: `${own} ${kind}` }]);
        expect(await read(index, `${file}/versions/1`)).toEqual({ text });
      }
  });

  it('saving a version beyond the limit removes no version of another organization or kind', async () => {
    const { ctx, own } = sides[1]!;
    await sql`INSERT INTO content_versions
        (organization_id, kind, item_id, version, content, author, origin)
      SELECT ${portal.globex.id}::uuid, 'report', ${id}::uuid, version, '', '', 'files'
      FROM generate_series(81, 100) AS version`.execute(portal.db);
    await sql`UPDATE reports SET version = 100
      WHERE organization_id = ${portal.globex.id} AND id = ${id}`.execute(portal.db);
    const files = { 'reports/shared.yaml': `${textOf(own, 'reports')}# new\n` };
    await apply(ctx, portal.datasetFolder, { files });
    expect((await read(1, `/definitions/reports/${id}/versions`)).versions).toHaveLength(20);
    for (const [index, kind] of [
      [0, 'reports'],
      [1, 'datasets'],
    ] as const)
      expect((await read(index, `/definitions/${kind}/${id}/versions`)).versions).toHaveLength(1);
  });

  it('users with one ID in two organizations have favorites and recent reports of their own', async () => {
    const userId = randomUUID();
    const userEmail = 'reader@id.example';
    for (const { organization, ctx } of sides) {
      await sql`
        INSERT INTO users (organization_id, id, email, email_key, name, role,
          can_edit_report, can_create_report, can_overwrite_report)
        VALUES (${organization.id}, ${userId}, ${userEmail}, ${userEmail}, 'Reader', 3, false, false, false)`.execute(
        portal.db,
      );
      await linkReports(ctx, { userEmail, reports: [id] });
    }
    for (const { organization, own } of sides) {
      const { address } = organization;
      const readMarks = async () => {
        const { favorites, recent } = await startSession(portal, organization, { userEmail });
        return { favorites, recent };
      };
      expect(await readMarks()).toEqual({ favorites: [], recent: [] });
      const { bearer } = await startSession(portal, organization, { userEmail });
      for (const intent of ['open', 'refresh'] as const) {
        const answer = await view(address, bearer, id, { intent });
        expect(answer.json()).toMatchObject({ report: { name: `Overview of ${own}` } });
      }
      await send(`${address}/viewer/reports/${id}/favorite`, {
        method: 'PUT',
        headers: { authorization: `Bearer ${bearer}` },
        json: { isFavorite: true },
      });
      expect(await readMarks()).toEqual({ favorites: [id], recent: [id] });
    }
  });

  it('archiving a dataset and a report leaves those of another organization with the same ID', async () => {
    const { acme, globex } = portal;
    const request = { files: {}, prune: true, force: true };
    await apply(globex.ctx, portal.datasetFolder, request);
    const archived = await browsers[1]!.send('GET', `/organizations/${globex.id}/reports/${id}`);
    expect(archived.status).toBe(404);
    expect(await read(0, `/reports/${id}`)).toMatchObject({ name: 'Overview of acme' });
    expect(await read(0, `/datasets/${id}`)).toMatchObject({ name: 'Orders of acme' });
    const { data } = await listRoles(acme.ctx, { ...page, datasetId: id });
    expect(data).toMatchObject([{ name: 'East' }, { name: 'West' }]);
    const usersEmails = [acme.emails.west];
    await linkUsers(acme.ctx, { datasetId: id, role: 'West', usersEmails });
  });
});
