import fs from 'node:fs';
import path from 'node:path';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { linkReports } from '../../src/access/report-links.ts';
import { linkUsers } from '../../src/access/role-links.ts';
import { createUser } from '../../src/users/service.ts';
import { startTestPortal, type TestPortal } from '../support/portal.ts';
import { startSession, view } from '../support/viewer.ts';

let portal: TestPortal;
let applied: { reportId: string; datasetId: string };

/** Spellings of one address, whose name ends in a sigma. */
const spellings = ['ΝΙΚΟΣ@X.EXAMPLE', 'νικος@x.example', 'νικοσ@x.example'].toSorted();
const owners = ['maria@x.example', ...spellings];
const access = 'email,owner\nνικος@x.example,maria@x.example\nνικοσ@x.example,nobody\n';

const dataset = `name: Owned
source: { file: owned.csv }
metrics:
  - { name: Rows, expression: count() }
roles:
  - { name: Own, rows: { field: Owner, equals: { viewer: email } } }
  - name: Assigned
    rows: { field: Owner, in: { lookup: access, key: email, value: owner } }
`;

const report = `name: Owned
workspace: Sales
dataset: owned
pages:
  - name: P
    rows:
      - tiles:
          - { type: table, dimensions: [Owner], metrics: [Rows] }
`;

beforeAll(async () => {
  portal = await startTestPortal();
  const folder = path.join(portal.datasetFolder, portal.acme.id);
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(path.join(folder, 'owned.csv'), `Owner\n${owners.join('\n')}\n`);
  fs.writeFileSync(path.join(folder, 'access.csv'), access);
  const files = {
    'datasets/access.yaml': 'name: access\nsource: { file: access.csv }\n',
    'datasets/owned.yaml': dataset,
    'reports/owned.yaml': report,
  };
  const answer = await portal.api('PUT', '/api/content', { json: { files } });
  if (answer.status !== 200) throw new Error(answer.body);
  const { changes } = answer.json() as { changes: { kind: string; slug: string; id: string }[] };
  const idOf = (kind: string) =>
    changes.find((change) => change.kind === kind && change.slug === 'owned')!.id;
  applied = { reportId: idOf('report'), datasetId: idOf('dataset') };
});
afterAll(() => portal.close());

async function addReader(email: string, role: string): Promise<void> {
  const { ctx } = portal.acme;
  await createUser(ctx, { email, name: 'Reader', role: 3 });
  await linkReports(ctx, { userEmail: email, reports: [applied.reportId] });
  await linkUsers(ctx, { datasetId: applied.datasetId, role, usersEmails: [email] });
}

/** The owners in the rows of a reader, whose URL was minted for this spelling. */
async function readOwners(userEmail: string): Promise<string[]> {
  const { acme } = portal;
  const { reportId } = applied;
  const { bearer } = await startSession(portal, acme, { userEmail, reportId });
  const answer = await view(acme.address, bearer, reportId);
  const groups = answer.json().page.rows[0][0].groups as { keys: [string] }[];
  return groups.map(({ keys }) => keys[0]).toSorted();
}

it('a role by e-mail compares the stored address, whatever the final sigma and the letter case', async () => {
  await addReader('ΝΙΚΟΣ@x.example', 'Own');
  expect(await readOwners('ΝΙΚΟΣ@x.example')).toEqual(spellings);
  expect(await readOwners('νικος@X.example')).toEqual(spellings);
});

it('a user of another organization whose address differs only in the sigma changes no rows', async () => {
  await createUser(portal.globex.ctx, { email: 'νικοσ@x.example', name: 'Reader', role: 3 });
  expect(await readOwners('ΝΙΚΟΣ@x.example')).toEqual(spellings);
});

it('of two users whose addresses differ only in the sigma, neither sees rows of the other', async () => {
  await addReader('νικοσ@x.example', 'Own');
  expect(await readOwners('νικοσ@x.example')).toEqual(['νικοσ@x.example']);
  expect(await readOwners('ΝΙΚΟΣ@x.example')).toEqual(['νικος@x.example']);
});

it('of two users whose addresses differ only in the sigma, each has the own values of a look-up', async () => {
  const link = { datasetId: applied.datasetId, role: 'Assigned' };
  await linkUsers(portal.acme.ctx, {
    ...link,
    usersEmails: ['νικοσ@x.example', 'ΝΙΚΟΣ@x.example'],
  });
  expect(await readOwners('νικοσ@x.example')).toEqual(['νικοσ@x.example']);
  expect(await readOwners('ΝΙΚΟΣ@x.example')).toEqual(['maria@x.example', 'νικος@x.example']);
});
