import fs from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';

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
  const scope = { datasetFolder: portal.datasetFolder, dataFolder: path.join(folder, 'data') };
  const applied = applyContent(ctx, scope, { files: texts, prune: true });
  try {
    const mistakes = await listMistakes(applied);
    const changes = mistakes.length > 0 ? [] : (await applied).changes;
    const ids = Object.fromEntries(changes.map(({ kind, slug, id }) => [`${kind} ${slug}`, id]));
    return { mistakes, ids };
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
const internals =
  'TypeError, undefined, Internal, Catalog Error, Parser Error, Binder Error, /tmp/'.split(', ');

/** Applies and opens a folder, and says what is wrong with the answers. */
async function findProblems({ files, other, expected }: HostileFolder): Promise<string[]> {
  const problems: string[] = [];
  if (other) problems.push(...(await applyFolder(portal.globex, other)).mistakes);
  const logged = portal.log.length;
  const { mistakes, ids } = await applyFolder(portal.acme, files);
  const refusals = [...mistakes];
  const { readers = {}, metricTotals, message = [], never = [] } = expected;
  for (const [email, wanted] of mistakes.length > 0 ? [] : Object.entries(readers)) {
    const { seen, error } = await readAs(email, ids);
    if (![wanted].flat().some((each) => isDeepStrictEqual(each, seen)))
      problems.push(`${email} sees ${JSON.stringify(seen)}`);
    if (error !== undefined) refusals.push(error);
  }
  if (metricTotals && mistakes.length === 0) {
    const { page } = (await readReport(await openAs('totals@acme.example', ids))).json();
    const totals = page.rows.flat().map(totalOf);
    if (!isDeepStrictEqual(totals, Object.values(metricTotals)))
      problems.push(`The totals are ${totals.join(', ')}.`);
  }
  const outcome = refusals.length > 0 ? 'refused' : 'accepted';
  if (!expected.outcome.includes(outcome)) problems.push(`The folder is ${outcome}.`);
  const text = refusals.join('\n');
  const explained = [text, ...portal.log.slice(logged)].join('\n');
  if (outcome === 'refused')
    problems.push(
      ...message.filter((part) => !explained.includes(part)).map((part) => `No ${part}.`),
    );
  const leaked = [...internals, ...never, portal.datasetFolder].filter((part) =>
    text.includes(part),
  );
  return [...problems, ...leaked];
}

describe('a harmless folder', () => {
  it.each(Object.entries(twins))('%s is accepted', async (_name, folder) => {
    expect(await findProblems(folder)).toEqual([]);
  });
});

describe('a hostile folder', () => {
  it.each(Object.entries(folders))(
    '%s shows no wrong rows',
    async (_name, folder) => {
      expect(await findProblems(folder)).toEqual([]);
    },
    60_000,
  );
});
