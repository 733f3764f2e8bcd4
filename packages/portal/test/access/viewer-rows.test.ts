import { sql } from 'kysely';
import { readerView } from 'report-engine/testing/reader-view';
import type { Answer } from 'test-support';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';

import type { ReaderFilter, TilesView } from '#viewer/requests';

import { createGroup } from '../../src/access/create-group.ts';
import { linkReports } from '../../src/access/report-links.ts';
import { createCompany } from '../../src/companies/service.ts';
import { setUnappliedFilters } from '../../src/organizations/service.ts';
import { updateUser } from '../../src/users/service.ts';
import { addItems } from '../support/items.ts';
import { startTestPortal, type TestPortal } from '../support/portal.ts';
import { mint, open, readSession, startSession, view } from '../support/viewer.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await startTestPortal();
});
afterAll(() => portal.close());

const total = (answer: Answer) => {
  const { page } = answer.json() as TilesView;
  const tile = page.rows.flat().find(({ id }) => id === '0.0.0');
  return tile && 'value' in tile ? tile.value : undefined;
};

const region = (value: string) => ({ key: 'Orders/Region', value });

describe('row-level security', () => {
  // Another user whose department, group and company are the region of other rows.
  beforeAll(async () => {
    const { ctx, emails } = portal.acme;
    await createGroup(ctx, { name: 'East', memberEmails: [emails.east], reports: [] });
    const company = await createCompany(ctx, 'East');
    await updateUser(ctx, { userEmail: emails.east, department: 'East', companies: [company] });
  });

  const totals: [keyof TestPortal['acme']['emails'], number | null, number][] = [
    ['west', 30, 2],
    ['east', 40, 2],
    ['both', 70, 4],
    ['none', null, 0],
  ];

  it.each(totals)('shows %s only their own rows', async (name, expected, rowCount) => {
    const { acme } = portal;
    const session = await startSession(portal, acme, {
      userEmail: acme.emails[name],
      reportId: acme.reportId,
    });
    const answer = await view(acme.address, session.bearer, acme.reportId);
    expect(answer.status).toBe(200);
    expect(total(answer)).toBe(expected);
    expect(answer.json().rowCount).toBe(rowCount);
    expect(answer.json().rowAccess).toBe('by-role');
  });

  it('shows all rows of a dataset without roles, and says so', async () => {
    const { acme } = portal;
    const { ctx, emails } = acme;
    const { reports } = await addItems(ctx, portal.datasetFolder, {
      datasets: { open: {} },
      reports: { open: { dataset: 'open' } },
    });
    const reportId = reports['open']!;
    await linkReports(ctx, { userEmail: emails.none, reports: [reportId] });
    const session = await startSession(portal, acme, { userEmail: emails.none, reportId });
    expect(session.view).toMatchObject({ rowAccess: 'everyone', roles: [], rowCount: 4 });
  });

  it('limits the rows of a dataset for everyone if the dataset has roles', async () => {
    const { acme, db } = portal;
    const setAccess = (access: string) =>
      sql`UPDATE datasets SET row_access = ${access} WHERE id = ${acme.datasetId}`.execute(db);
    await setAccess('everyone');
    onTestFinished(async () => {
      await setAccess('by-role');
    });
    const session = await startSession(portal, acme, {
      userEmail: acme.emails.none,
      reportId: acme.reportId,
    });
    expect((await view(acme.address, session.bearer, acme.reportId)).json().rowCount).toBe(0);
  });

  it('applies a group’s role to its members at once, and ends it at once', async () => {
    const { acme } = portal;
    const email = 'member@acme.example';
    await portal.api('POST', '/api/user', { json: { email, name: 'Member', role: 3 } });
    await portal.api('PUT', '/api/user/link-reports', {
      json: { userEmail: email, reports: [acme.reportId] },
    });
    await sql`INSERT INTO group_members (organization_id, group_id, user_id)
      SELECT organization_id, ${acme.groupId}::uuid, id FROM users WHERE email = ${email}
      ON CONFLICT DO NOTHING`.execute(portal.db);
    const session = await startSession(portal, acme, { userEmail: email, reportId: acme.reportId });
    const readTotal = async () => total(await view(acme.address, session.bearer, acme.reportId));
    expect(await readTotal()).toBeNull();
    const link = { groups: [acme.groupId], datasetId: acme.datasetId, role: 'East' };
    await portal.api('PUT', '/api/datasets/rls/link-groups', { json: link });
    expect(await readTotal()).toBe(40);
    await portal.api('PUT', '/api/datasets/rls/unlink-groups', { json: link });
    expect(await readTotal()).toBeNull();
  });

  it('compares the e-mail column of a role with the viewer’s e-mail in any letter case', async () => {
    const { acme, db } = portal;
    await sql`UPDATE rls_roles SET predicate = '{"field":"Owner","equals":{"viewer":"email"}}'
      WHERE organization_id = ${acme.id} AND name = 'East'`.execute(db);
    const session = await startSession(portal, acme, {
      userEmail: acme.emails.east,
      reportId: acme.reportId,
    });
    expect(total(await view(acme.address, session.bearer, acme.reportId))).toBe(40);
    await sql`UPDATE rls_roles SET predicate = '{"field":"Region","in":["East"]}'
      WHERE organization_id = ${acme.id} AND name = 'East'`.execute(db);
  });

  it.each([
    [
      'department',
      { viewer: 'department' },
      () => sql`UPDATE users SET department = 'West' WHERE email = ${portal.acme.emails.west}`,
    ],
    [
      'groups',
      { viewer: 'groups' },
      () => sql`UPDATE groups SET name = 'West' WHERE id = ${portal.acme.groupId}`,
    ],
    [
      'companies',
      { viewer: 'companies' },
      () => sql`WITH company AS (
          INSERT INTO companies (organization_id, id, name)
          VALUES (${portal.acme.id}, gen_random_uuid(), 'West') RETURNING *
        )
        INSERT INTO company_users (organization_id, company_id, user_id)
        SELECT company.organization_id, company.id, users.id FROM company, users
        WHERE email = ${portal.acme.emails.west}`,
    ],
    [
      'e-mail, by a look-up,',
      { lookup: 'managers', key: 'Owner', value: 'Region' },
      () => sql`UPDATE datasets SET slug = 'managers' WHERE id = ${portal.acme.datasetId}`,
    ],
  ])('compares a field with the viewer’s %s', async (_attribute, list, grant) => {
    const { acme, db } = portal;
    await sql`INSERT INTO group_members (organization_id, group_id, user_id)
      SELECT organization_id, ${acme.groupId}::uuid, id FROM users
      WHERE email = ${acme.emails.west} ON CONFLICT DO NOTHING`.execute(db);
    const setRole = (predicate: object) =>
      sql`UPDATE rls_roles SET predicate = ${JSON.stringify(predicate)}::jsonb
        WHERE organization_id = ${acme.id} AND name = 'West'`.execute(db);
    await setRole({ field: 'Region', in: list });
    onTestFinished(async () => {
      await setRole({ field: 'Region', in: ['West'] });
    });
    const session = await startSession(portal, acme, {
      userEmail: acme.emails.west,
      reportId: acme.reportId,
    });
    const readRows = async () =>
      (await view(acme.address, session.bearer, acme.reportId)).json().rowCount ?? 0;
    expect(await readRows()).toBe(0);
    await grant().execute(db);
    expect(await readRows()).toBe(2);
  });

  it.each([
    ['names a field that the dataset lacks', { field: 'Gone', in: ['West'] }, 'Gone'],
    [
      'has a form that this release cannot read',
      { field: 'Region', nearly: 'West' },
      'The stored role',
    ],
  ])('shows no data if a role %s', async (_case, predicate, cause) => {
    const { acme, db, log } = portal;
    const setWest = (rows: object) =>
      sql`UPDATE rls_roles SET predicate = ${JSON.stringify(rows)}::jsonb
        WHERE organization_id = ${acme.id} AND name = 'West'`.execute(db);
    await setWest(predicate);
    onTestFinished(async () => {
      await setWest({ field: 'Region', in: ['West'] });
    });
    const session = await startSession(portal, acme, {
      userEmail: acme.emails.west,
      reportId: acme.reportId,
    });
    const answer = await view(acme.address, session.bearer, acme.reportId);
    expect([answer.status, answer.json().code]).toEqual([502, 'report_failed']);
    expect(answer.body).not.toMatch(/SELECT|Gone|nearly|csv/);
    expect(log.findLast((line) => line.includes('report failed'))).toContain(cause);
  });
});

describe('the redeemed page of one report', () => {
  it('contains the first data of that report, under the same rules', async () => {
    const { acme } = portal;
    const openAs = (name: 'west' | 'none', customFilters: { key: string; value: string }[] = []) =>
      startSession(portal, acme, {
        userEmail: acme.emails[name],
        reportId: acme.reportId,
        customFilters,
      });
    expect((await openAs('west')).view).toMatchObject({ rowCount: 2, unappliedFilters: [] });
    expect((await openAs('west', [region('East')])).view).toMatchObject({ rowCount: 0 });
    expect((await openAs('none')).view).toMatchObject({ rowCount: 0 });
  });

  it('has no data if the report fails or access was revoked', async () => {
    const { acme, db } = portal;
    const json = { userEmail: acme.emails.west, reports: [acme.reportId] };
    const url = await mint(portal, acme, { userEmail: acme.emails.west, reportId: acme.reportId });
    await portal.api('PUT', '/api/user/unlink-reports', { json });
    const session = readSession(await open(url));
    expect([session.view, session.reports]).toEqual([null, []]);
    await portal.api('PUT', '/api/user/link-reports', { json });

    await sql`UPDATE reports SET source = source || '{"pages": null}'
      WHERE id = ${acme.reportId}`.execute(db);
    onTestFinished(async () => {
      await sql`UPDATE reports SET source = kept.source FROM reports AS kept
        WHERE reports.id = ${acme.reportId} AND kept.id = ${acme.groupReportId}`.execute(db);
    });
    const broken = await startSession(portal, acme, {
      userEmail: acme.emails.west,
      reportId: acme.reportId,
    });
    expect(broken.view).toBeNull();
  });
});

describe('custom filters', () => {
  const viewAs = async (
    name: 'west' | 'both',
    minted: { key: string; value: string }[],
    ...chosen: ReaderFilter[]
  ) => {
    const { acme } = portal;
    const session = await startSession(portal, acme, {
      userEmail: acme.emails[name],
      reportId: acme.reportId,
      customFilters: minted,
    });
    return view(acme.address, session.bearer, acme.reportId, { view: readerView(...chosen) });
  };

  it('show West no rows of another region', async () => {
    const answer = await viewAs('west', [region('East')]);
    expect([answer.status, answer.json().rowCount, total(answer)]).toEqual([200, 0, null]);
  });

  it('keep rows with any of the values of each key', async () => {
    expect(total(await viewAs('both', [region('East'), region('West')]))).toBe(70);
    const chairs = { key: 'Category', value: 'Chairs' };
    expect(total(await viewAs('both', [region('East'), chairs]))).toBe(15);
  });

  it('must all match if their keys are two spellings of one column', async () => {
    const answer = await viewAs('both', [region('East'), { key: 'Region', value: 'West' }]);
    expect(answer.json().rowCount).toBe(0);
  });

  it('of the reader narrow those of the URL and never replace them', async () => {
    const desks = { field: 'Category', values: ['Desks'] };
    const chairs = { key: 'Category', value: 'Chairs' };
    expect((await viewAs('both', [chairs], desks)).json().rowCount).toBe(0);
    expect(total(await viewAs('both', [region('East')], desks))).toBe(25);
    expect(total(await viewAs('west', [], desks))).toBe(20);
  });

  it.each(['Owner', 'Region', 'Nowhere'])(
    'of the reader on %s, which the report does not show, are refused',
    async (field) => {
      const answer = await viewAs('both', [], { field, values: ['East'] });
      expect([answer.status, answer.json().code]).toEqual([400, 'invalid_request']);
      const message = `The report does not show a field "${field}".`;
      expect(answer.json().errors).toEqual([{ path: 'view', message }]);
      expect(answer.json().detail).toBe(
        `The report does not show a field "${field}". Filter, sort and drill only by what the report shows.`,
      );
    },
  );

  it('without a column are reported, and leave the rows as they are', async () => {
    const answer = await viewAs('both', [{ key: 'Nowhere/Nothing', value: 'x' }, region('East')]);
    expect(answer.json().unappliedFilters).toEqual(['Nowhere/Nothing']);
    expect(total(answer)).toBe(40);
  });

  it('match columns in any letter case', async () => {
    for (const key of ['orders/region', 'ORDERS/Region', 'REGION', 'region'])
      expect([key, total(await viewAs('both', [{ key, value: 'East' }]))]).toEqual([key, 40]);
  });

  it('intersect even if their keys differ in letter case', async () => {
    const answer = await viewAs('both', [region('East'), { key: 'orders/REGION', value: 'West' }]);
    expect(answer.json().rowCount).toBe(0);
  });

  describe('without a column, in an organization that refuses them,', () => {
    beforeAll(() => setUnappliedFilters(portal.acme.ctx, 'refuse'));
    afterAll(() => setUnappliedFilters(portal.acme.ctx, 'note'));
    const misspelled = { key: 'Orders/Regoin', value: 'East' };

    it('if an organization refuses custom filters without a column, nothing is computed or sent, and the error names them', async () => {
      const computed = vi.spyOn(portal.tiles, 'compute');
      onTestFinished(() => computed.mockRestore());
      const { acme } = portal;
      const url = await mint(portal, acme, {
        userEmail: acme.emails.both,
        reportId: acme.reportId,
        customFilters: [region('East'), misspelled],
      });
      const page = await open(url);
      const { bearer, view: first } = readSession(page);
      expect(first).toBeNull();
      const answer = await view(acme.address, bearer, acme.reportId);
      expect([answer.status, answer.json().code]).toEqual([422, 'filters_not_applied']);
      expect(answer.json().detail).toContain('"Orders/Regoin"');
      for (const body of [page.body, answer.body]) expect(body).not.toMatch(/rowCount|"page"/);
      for (const { value } of computed.mock.results)
        await expect(value).rejects.toThrow('Orders/Regoin');
      expect(computed).toHaveBeenCalledTimes(2);
    });

    it('with a column are applied in an organization that refuses others', async () => {
      const shown = await viewAs('both', [region('East')]);
      expect(shown.json()).toMatchObject({ rowCount: 2, unappliedFilters: [] });
      expect((await viewAs('both', [])).json()).toMatchObject({ rowCount: 4 });
    });

    it('the error names each refused filter', async () => {
      const other = { key: 'Planet', value: 'Mars' };
      const refused = await viewAs('both', [misspelled, other]);
      expect(refused.json()).toMatchObject({
        detail:
          'This report is not shown. It has no column for the filter "Orders/Regoin", "Planet". Contact your administrator.',
        advice:
          'It has no column for the filter "Orders/Regoin", "Planet". Contact your administrator.',
        errors: ['Orders/Regoin', 'Planet'].map((path) => ({
          path,
          message: 'names no column of the report',
        })),
      });
    });

    it('without a column are only noted in an organization that does not refuse them', async () => {
      const { globex } = portal;
      const session = await startSession(portal, globex, {
        userEmail: globex.emails.both,
        reportId: globex.reportId,
        customFilters: [misspelled],
      });
      expect(session.view?.unappliedFilters).toEqual(['Orders/Regoin']);
    });
  });

  it('a report lists the filters of its URL apart from those of the reader', async () => {
    const chairs = { field: 'Category', values: ['Chairs'] };
    const answer = await viewAs('both', [region('East')], chairs);
    expect(answer.json()).toMatchObject({ filters: [region('East')], readerFilters: [chairs] });
  });

  it('are compared in the type of the column; an invalid value equals nothing', async () => {
    expect(total(await viewAs('both', [{ key: 'Sales', value: '10.0' }]))).toBe(10);
    expect(total(await viewAs('both', [{ key: 'Ordered', value: '2024-01-09' }]))).toBe(15);
    expect((await viewAs('both', [{ key: 'Sales', value: 'ten' }])).json().rowCount).toBe(0);
  });

  it('are treated as data, whatever they contain', async () => {
    const attacks = [
      "East' OR '1'='1",
      `East" OR 1=1 --`,
      "'); DROP TABLE users; --",
      "x' UNION SELECT * FROM read_csv('/etc/passwd') --",
      '$1',
      '?',
      '%',
      '\\',
      'ꙮ🦀',
    ];
    for (const attack of attacks) {
      const byValue = await viewAs('west', [{ key: 'Region', value: attack }]);
      expect([attack, byValue.status, byValue.json().rowCount]).toEqual([attack, 200, 0]);
      const byKey = await viewAs('west', [{ key: attack, value: 'East' }]);
      expect([byKey.status, byKey.json().unappliedFilters, total(byKey)]).toEqual([
        200,
        [attack],
        30,
      ]);
    }
  });
});
