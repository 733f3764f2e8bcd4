import path from 'node:path';

import { sql } from 'kysely';
import { createLogCollector } from 'test-support';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { linkReports } from '../../src/access/report-links.ts';
import { linkUsers } from '../../src/access/role-links.ts';
import { logRoundedRoles } from '../../src/content/rounded-roles.ts';
import { createLogger } from '../../src/logger.ts';
import { signInAs } from '../support/admin.ts';
import { apply, listMistakes, writeFiles } from '../support/content-files.ts';
import { startTestPortal, type TestPortal } from '../support/portal.ts';
import { startSession, view } from '../support/viewer.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await startTestPortal();
});
afterAll(() => portal.close());

const west = '12345678901234567890';
const east = '12345678901234567891';
const accounts = `Region,Account,Weight
West,${west},0.1
East,${east},0.3
North,12345678901234567899,0.5
,12345678901234567000,0.7
`;
const look = (value: string) => `{ lookup: owners, key: Email, value: ${value} }`;

const files = (condition: string, type = '') => ({
  'datasets/accounts.yaml': `name: Accounts
source: { file: accounts.csv }
${type}roles:
  - name: Own
    rows: ${condition}
`,
  'datasets/owners.yaml': 'name: Owners\nsource: { file: owners.csv }\nrowAccess: by-role\n',
  'reports/accounts.yaml': `name: Accounts
workspace: Sales
dataset: accounts
pages:
  - name: Overview
    rows:
      - tiles:
          - { type: table, dimensions: [Region] }
`,
});

/** Applies a role, and returns the number of rows that each reader sees. */
async function countRows(condition: string, type = ''): Promise<(number | undefined)[]> {
  const { acme, datasetFolder } = portal;
  const { changes } = await apply(acme.ctx, datasetFolder, { files: files(condition, type) });
  return countSeen(changes);
}

async function countSeen(changes: { kind: string; slug: string; id: string }[]) {
  const { acme } = portal;
  const idOf = (kind: string) =>
    changes.find((change) => change.kind === kind && change.slug === 'accounts')!.id;
  const reportId = idOf('report');
  const counts: number[] = [];
  for (const userEmail of [acme.emails.west, acme.emails.east]) {
    await linkReports(acme.ctx, { userEmail, reports: [reportId] });
    const link = { datasetId: idOf('dataset'), role: 'Own', usersEmails: [userEmail] };
    await linkUsers(acme.ctx, link);
    const { bearer } = await startSession(portal, acme, { userEmail, reportId });
    counts.push((await view(acme.address, bearer, reportId)).json().rowCount);
  }
  return counts;
}

beforeAll(() => {
  const { acme, datasetFolder } = portal;
  writeFiles(path.join(datasetFolder, acme.id), {
    'accounts.csv': accounts,
    'owners.csv': `Email,Account,Limit\n${acme.emails.west},${west},0.2\n${acme.emails.east},${east},0.4\n`,
  });
});

describe('a role with account numbers of twenty digits', () => {
  it.each([
    ['a look-up', `{ field: Account, in: ${look('Account')} }`, [1, 1]],
    ['a list', `{ field: Account, in: ["${west}"] }`, [1, 1]],
    ['a value', `{ field: Account, equals: "${west}" }`, [1, 1]],
    ['all others', `{ not: { field: Account, in: ["${west}"] } }`, [3, 3]],
  ])('of %s shows the rows of these accounts only', async (_, condition, counts) => {
    expect(await countRows(condition)).toEqual(counts);
  });

  it('as decimals shows the rows of these accounts only', async () => {
    const decimal = 'fields: [{ name: Account, type: decimal }]\n';
    const condition = `{ field: Account, in: ["${west}"] }`;
    expect(await countRows(condition, decimal)).toEqual([1, 1]);
  });
});

describe('a role that compares rounded numbers', () => {
  it.each([
    ['{ field: Weight, in: [0.1] }', '5:20 Own: "Weight"'],
    ['{ field: Weight, notIn: [0.1] }', '5:20 Own: "Weight"'],
    ['{ field: Weight, equals: 0.1 }', '5:20 Own: "Weight"'],
    [`{ field: Weight, in: ${look('Limit')} }`, '5:20 Own: "Weight"'],
  ])('%s is refused', async (condition, place) => {
    const { acme, datasetFolder } = portal;
    const request = { files: files(condition) };
    const [first] = await listMistakes(apply(acme.ctx, datasetFolder, request));
    expect(first).toMatch(/use a field of type text, integer or decimal, or write between$/);
    expect(first).toContain(`datasets/accounts.yaml:${place} has the type number`);
  });

  it('gives no rows if it is stored, and is named at start, in a check and on its page', async () => {
    const { acme, datasetFolder, db } = portal;
    const condition = { field: 'Weight', between: [0, 1] };
    const text = files(JSON.stringify(condition));
    const { changes } = await apply(acme.ctx, datasetFolder, { files: text });
    expect(await countSeen(changes)).toEqual([4, 4]);
    const rows = { or: [{ field: 'Weight', in: [0.1] }, condition] };
    await sql`UPDATE rls_roles SET predicate = ${JSON.stringify(rows)}::jsonb
      WHERE name = 'Own'`.execute(db);
    await sql`UPDATE datasets SET content = replace(content, ${JSON.stringify(condition)},
      ${JSON.stringify(rows)}) WHERE slug = 'accounts'`.execute(db);
    expect(await countSeen(changes)).toEqual([0, 0]);

    const { log, destination } = createLogCollector();
    await logRoundedRoles({ db }, createLogger('info', destination));
    const datasetId = changes.find(({ slug }) => slug === 'accounts')!.id;
    expect(log.map((line) => JSON.parse(line))).toMatchObject([
      { level: 40, organizationId: acme.id, datasetId, role: 'Own', field: 'Weight' },
    ]);

    const other = { 'datasets/owners.yaml': `${text['datasets/owners.yaml']}description: Who\n` };
    const report = { 'reports/accounts.yaml': text['reports/accounts.yaml'] };
    const checked = await apply(acme.ctx, datasetFolder, { files: report, dryRun: true });
    expect(checked.hints).toEqual([
      expect.stringMatching(
        /^datasets\/accounts\.yaml:5:27 Own: "Weight" has the type number.*; until then, the role gives no rows$/,
      ),
    ]);
    expect((await apply(acme.ctx, datasetFolder, { files: other })).hints).toContain(
      checked.hints[0],
    );

    const admin = await signInAs(portal, acme, 1, 'ada@acme.example');
    const page = await admin.send('GET', `/organizations/${acme.id}/datasets/${datasetId}`);
    expect(page.json().roles).toMatchObject([{ name: 'Own', roundedField: 'Weight' }]);
  });
});
