import fs from 'node:fs';
import path from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { linkReports } from '../../src/access/report-links.ts';
import { linkUsers } from '../../src/access/role-links.ts';
import { applyContent } from '../../src/content/service.ts';
import { createUser } from '../../src/users/service.ts';
import { listMistakes, writeFiles } from '../support/content-files.ts';
import { folders, twins, type HostileFolder, type Seen } from '../support/hostile-folders.ts';
import type { TestOrganization } from '../support/organization.ts';
import { startTestPortal, type TestPortal } from '../support/portal.ts';
import { startSession, view } from '../support/viewer.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await startTestPortal();
});
afterAll(() => portal.close());

/** Users that exist. */
const known = new Set<string>();

/** Applies a folder with nothing else, and returns its mistakes or the id of its report and dataset. */
async function applyFolder(
  { ctx }: TestOrganization,
  files: HostileFolder['files'],
): Promise<{ mistakes: string[]; ids: Record<string, string> }> {
  const folder = fs.mkdtempSync(path.join(portal.datasetFolder, '..', 'hostile-'));
  writeFiles(folder, { 'data/none': '', ...files });
  const texts = Object.fromEntries(
    Object.entries(files).filter(([name]) => name.endsWith('.yaml')),
  );
  const ids: Record<string, string> = {};
  const scope = { datasetFolder: portal.datasetFolder, dataFolder: path.join(folder, 'data') };
  const applied = applyContent(ctx, scope, { files: texts, prune: true }).then(({ changes }) => {
    for (const { kind, slug, id } of changes) ids[`${kind} ${slug}`] = id;
  });
  try {
    return { mistakes: await listMistakes(applied), ids };
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}

async function openAs(userEmail: string, ids: Record<string, string>) {
  const { acme } = portal;
  if (!known.has(userEmail))
    await createUser(acme.ctx, { email: userEmail, name: 'Reader', role: 3 });
  known.add(userEmail);
  const reportId = ids['report sales']!;
  await linkReports(acme.ctx, { userEmail, reports: [reportId] });
  return { userEmail, reportId };
}

async function readReport(reader: { userEmail: string; reportId: string }) {
  const { acme } = portal;
  const { bearer } = await startSession(portal, acme, reader);
  return view(acme.address, bearer, reader.reportId);
}

interface Tile {
  value?: number | null;
  groups?: { values: (number | null)[] }[];
}

/** The total of a tile’s only metric. */
const totalOf = ({ value, groups = [] }: Tile): string =>
  String(groups.reduce((sum, { values: [each] }) => sum + (each ?? 0), value ?? 0));

/** The number of rows and the total of the sales that a reader sees, or the answer that is an error. */
async function readAs(
  userEmail: string,
  ids: Record<string, string>,
): Promise<{ seen: Seen; error?: string }> {
  const reader = await openAs(userEmail, ids);
  const link = { datasetId: ids['dataset sales']!, role: 'Own', usersEmails: [userEmail] };
  await linkUsers(portal.acme.ctx, link);
  const answer = await readReport(reader);
  if (answer.status !== 200) return { seen: 'error', error: answer.body };
  const { rowCount, page } = answer.json();
  return { seen: { rows: rowCount, total: totalOf(page.rows[0][0]) } };
}

/** Texts that show how the portal works. */
const internals = [
  ...['TypeError', 'undefined', 'Internal', 'Catalog Error', 'Parser Error', 'Binder Error'],
  '/tmp/',
];

async function judge({ files, other, expected }: HostileFolder): Promise<void> {
  if (other) expect((await applyFolder(portal.globex, other)).mistakes).toEqual([]);
  const logged = portal.log.length;
  const { mistakes, ids } = await applyFolder(portal.acme, files);
  const errors: string[] = [];
  const { readers = {}, metricTotals, message = [], never = [] } = expected;
  if (mistakes.length === 0) {
    for (const [email, wanted] of Object.entries(readers)) {
      const { seen, error } = await readAs(email, ids);
      expect([wanted].flat()).toContainEqual(seen);
      if (error !== undefined) errors.push(error);
    }
    if (metricTotals) {
      const { page } = (await readReport(await openAs('totals@acme.example', ids))).json();
      expect(page.rows.flat().map(totalOf)).toEqual(Object.values(metricTotals));
    }
  }
  const texts = [...mistakes, ...errors];
  expect(expected.outcome).toContain(texts.length > 0 ? 'refused' : 'accepted');
  const log = portal.log.slice(logged).join('\n');
  for (const part of texts.length > 0 ? message : [])
    expect(`${texts.join('\n')}\n${log}`).toContain(part);
  for (const part of [...internals, ...never, portal.datasetFolder])
    expect(texts.join('\n')).not.toContain(part);
}

describe('a harmless folder', () => {
  it.each(Object.entries(twins))('%s is accepted', (_name, folder) => judge(folder));
});

describe('a hostile folder', () => {
  it.each(Object.entries(folders))(
    '%s shows no wrong rows',
    (_name, folder) => judge(folder),
    60_000,
  );
});
