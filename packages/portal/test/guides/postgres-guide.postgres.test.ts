import fs from 'node:fs';
import path from 'node:path';

import pg from 'pg';
import { expect, it, onTestFinished } from 'vitest';

import { openConnections } from '#report-engine';

import { linkReports } from '../../src/access/report-links.ts';
import { createUser } from '../../src/users/service.ts';
import { runInProcess } from '../support/command-line.ts';
import { createTestDatabase } from '../support/database.ts';
import { startTestPortal } from '../support/portal.ts';
import { startSession, view } from '../support/viewer.ts';

const guide = fs.readFileSync(new URL('../../../docs/guides/postgres.md', import.meta.url), 'utf8');

/** The code blocks of the guide in their order. */
const blocks = [...guide.matchAll(/^```(sql|bash|yaml|text)\n([^]*?)^```$/gm)].map(
  ([, language = '', code = '']) => ({ language, code }),
);

/** The words of a command, without quotes. */
const splitCommand = (line: string) =>
  [...line.matchAll(/"([^"]*)"|\S+/g)].map(([word, quoted]) => quoted ?? word);

const tables = `
  CREATE SCHEMA shop;
  CREATE TABLE shop.orders (region text, ordered date, sales integer);
  INSERT INTO shop.orders VALUES ('West', '2024-01-03', 10), ('West', '2024-02-03', 20),
    ('East', '2024-01-09', 15);
  CREATE TABLE shop.region_managers (email text, region text);
  INSERT INTO shop.region_managers VALUES ('Ann@acme.example', 'West');`;

it('the PostgreSQL guide leads to a report with roles from a look-up table', async () => {
  const [database, shop] = await Promise.all([
    createTestDatabase(),
    createTestDatabase({ isEmpty: true }),
  ]);
  const owner = new pg.Client({ connectionString: shop.databaseUrl });
  await owner.connect();
  await owner.query(tables);
  // All tests share the server and its users.
  const user = path.basename(shop.dataDir).toLowerCase().replaceAll('-', '_');
  onTestFinished(async () => {
    await owner.query(`DROP OWNED BY ${user}; DROP ROLE IF EXISTS ${user}`);
    await owner.end();
    await shop.remove();
  });
  const url = new URL(shop.databaseUrl!);
  url.username = user;
  const settings = { name: 'warehouse', engine: 'postgres' as const, url: url.href };
  const limits = { sourceQueries: 2, userQueries: 2, memoryMb: 256 };
  const portal = await startTestPortal({
    database,
    connections: openConnections([settings], limits),
  });
  onTestFinished(portal.close);
  const { acme } = portal;
  const userEmail = 'ann@acme.example';
  await createUser(acme.ctx, { email: userEmail, name: 'Ann', role: 3 });

  const outputs: string[] = [];
  for (const { language, code } of blocks) {
    if (language === 'sql') await owner.query(code.replaceAll(/\breports\b/g, user));
    else if (language === 'yaml') {
      const file = path.join(database.dataDir, /^# (\S+)\n/.exec(code)![1]!);
      fs.mkdirSync(path.dirname(file), { recursive: true });
      fs.writeFileSync(file, code);
    } else if (language === 'bash' && code.startsWith('portal '))
      for (const line of code.trim().split('\n')) {
        const env = { PORTAL_CONNECTION_WAREHOUSE: url.href };
        const [, ...args] = splitCommand(line);
        const {
          code: exit,
          stdout,
          stderr,
        } = await runInProcess(database, args, env, database.dataDir);
        if (exit !== 0 || stderr !== '') throw new Error(`${line}: ${stderr}`);
        outputs.push(stdout);
      }
  }
  const shown = blocks.find(({ language }) => language === 'text')!;
  expect(outputs.join('\n')).toContain(shown.code.trim());

  const listed = await portal.api('GET', '/api/report?reportName=Orders');
  const reports = listed.json().data as { id: string }[];
  const own = new Set([acme.reportId, acme.groupReportId]);
  const reportId = reports.find(({ id }) => !own.has(id))!.id;
  await linkReports(acme.ctx, { userEmail, reports: [reportId] });
  const { bearer } = await startSession(portal, acme, { userEmail, reportId });
  const { rowCount, roles, page } = (await view(acme.address, bearer, reportId)).json();
  expect([rowCount, roles, page.rows[0][0].value]).toEqual([2, ['Own regions'], 30]);
});
