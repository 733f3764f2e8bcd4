/**
 * Measures a page of each list at a tenth of the scale and at the full scale: 1,000,000 users,
 * 20,000 reports and 10,000,000 audit entries in one organization, on PostgreSQL. `SCALE=0.1` makes
 * both smaller. The table and the plans are kept in `results/portal-scale.md`.
 */
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import pg from 'pg';
import { startPostgres } from 'test-support';

import { configure, settingsForLoading } from './configure.ts';
import { countPages, recordPlans } from './plans.ts';
import { seedScale, type Scale } from './seed.ts';
import { startPortal } from './service.ts';

const factor = Number(process.env['SCALE'] ?? 1);
const whole: Scale = {
  users: 1_000_000 * factor,
  reports: 20_000 * factor,
  auditEntries: 10_000_000 * factor,
};
const tenth: Scale = {
  users: whole.users / 10,
  reports: whole.reports / 10,
  auditEntries: whole.auditEntries / 10,
};
const resultFile = fileURLToPath(new URL('../../results/portal-scale.md', import.meta.url));

interface Question {
  title: string;
  path: (scale: Scale) => string;
}

const lastPage = (rows: number) => Math.ceil(rows / 50);
const middlePage = (rows: number) => Math.ceil(rows / 100);

const questions: Question[] = [
  { title: 'users, first page', path: () => '/api/user?' },
  { title: 'users, last page', path: ({ users }) => `/api/user?pageNumber=${lastPage(users)}` },
  { title: 'users, middle page', path: ({ users }) => `/api/user?pageNumber=${middlePage(users)}` },
  { title: 'users, first page of 200', path: () => '/api/user?pageSize=200' },
  { title: 'users, email of one user', path: () => '/api/user?email=user0012345' },
  { title: 'users, name of a few users', path: () => '/api/user?name=Ada%20Khh' },
  { title: 'users, name of a tenth of users', path: () => '/api/user?name=grace' },
  { title: 'users, letter in nearly all names', path: () => '/api/user?name=a' },
  {
    title: 'users, same letter, middle page',
    path: ({ users }) => `/api/user?name=a&pageNumber=${middlePage(users * 0.8)}`,
  },
  { title: 'users, email domain of all users', path: () => '/api/user?email=@large.example' },
  { title: 'users, two letters, no match', path: () => '/api/user?name=zq' },
  { title: 'users, two filters of two letters', path: () => '/api/user?email=99&name=gh' },
  { title: 'users, swapped words, no match', path: () => '/api/user?name=khh%20ada' },
  { title: 'users, parts of all emails, no match', path: () => '/api/user?email=large.user' },
  { title: 'reports, first page', path: () => '/api/report?' },
  {
    title: 'reports, last page',
    path: ({ reports }) => `/api/report?pageNumber=${lastPage(reports)}`,
  },
  { title: 'reports, one report by name', path: () => '/api/report?reportName=report%201234' },
  { title: 'reports, two letters, no match', path: () => '/api/report?reportName=zq' },
  { title: 'reports, one workspace', path: () => '/api/report?workspaceName=workspace%2077' },
  { title: 'audit log, first page', path: () => '/api/report-audit?' },
  {
    title: 'audit log, last page',
    path: ({ auditEntries }) => `/api/report-audit?pageNumber=${lastPage(auditEntries)}`,
  },
  {
    title: 'audit log, middle page',
    path: ({ auditEntries }) => `/api/report-audit?pageNumber=${middlePage(auditEntries)}`,
  },
  {
    title: 'audit log, one user',
    path: () => '/api/report-audit?userEmail=USER0000042@large.example',
  },
  {
    title: 'audit log, one report by name',
    path: () => '/api/report-audit?reportName=costs%20report%201234',
  },
  { title: 'audit log, two letters, no match', path: () => '/api/report-audit?reportName=zq' },
  { title: 'audit log, unknown report', path: () => '/api/report-audit?reportName=nothing' },
  {
    title: 'audit log, a quarter of all reports',
    path: () => '/api/report-audit?reportName=costs',
  },
  {
    title: 'audit log, one hour',
    path: () => {
      const to = new Date(Date.now() - 180 * 86_400_000);
      const from = new Date(to.getTime() - 3_600_000);
      return `/api/report-audit?from=${from.toISOString()}&to=${to.toISOString()}`;
    },
  },
];

interface Result {
  ms: number;
  rows: number;
  plans: string[];
}

interface Measured {
  results: Result[];
  sizes: { name: string; megabytes: number }[];
}

async function measure(scale: Scale): Promise<Measured> {
  const cluster = await startPostgres();
  try {
    const databaseUrl = cluster.url('postgres');
    const started = performance.now();
    await configure(cluster, settingsForLoading);
    const { key: apiKey } = await seedScale(databaseUrl, scale);
    await configure(cluster, {});
    print(`seeded ${scale.users} users, ${scale.reports} reports, ${scale.auditEntries} entries`);
    print(` in ${((performance.now() - started) / 1000).toFixed(0)} s\n`);
    const ask = (origin: string, question: Question) =>
      fetch(origin + question.path(scale), { headers: { 'x-api-key': apiKey } });

    const timed = await withPortal(databaseUrl, async (origin) => {
      const results: Omit<Result, 'plans'>[] = [];
      for (const question of questions) {
        const times: number[] = [];
        let rows = 0;
        for (let round = 0; round < 9; round++) {
          const start = performance.now();
          const answer = await ask(origin, question);
          const text = await answer.text();
          times.push(performance.now() - start);
          if (!answer.ok) throw new Error(`${question.title}: ${text}`);
          const page = JSON.parse(text) as { data: unknown[] };
          rows = page.data.length;
        }
        results.push({ ms: times.toSorted((a, b) => a - b)[4]!, rows });
      }
      return results;
    });

    const capturePlans = await recordPlans(cluster);
    const plans = await withPortal(databaseUrl, async (origin) => {
      const all: string[][] = [];
      for (const question of questions)
        all.push(await capturePlans(async () => (await ask(origin, question)).text()));
      return all;
    });
    return {
      results: timed.map(({ ms, rows }, index) => ({ ms, rows, plans: plans[index]! })),
      sizes: await readSizes(databaseUrl),
    };
  } finally {
    await cluster.stop();
  }
}

/** Of what substring filters read. */
async function readSizes(databaseUrl: string): Promise<Measured['sizes']> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query<Measured['sizes'][number]>(
    `SELECT relname AS name, round(pg_relation_size(oid) / 1e6)::int AS megabytes FROM pg_class
     WHERE relname IN ('users', 'users_by_email', 'reports', 'report_names')
       OR relname LIKE '%\\_by\\_%parts' ORDER BY relname`,
  );
  await client.end();
  return rows;
}

async function withPortal<Value>(
  databaseUrl: string,
  work: (origin: string) => Promise<Value>,
): Promise<Value> {
  const portal = await startPortal({ PORTAL_DATABASE_URL: databaseUrl, PORTAL_DATA_DIR: '/tmp' });
  try {
    return await work(portal.origin);
  } finally {
    await portal.stop();
  }
}

const print = (text: string) => process.stdout.write(text);

const small = await measure(tenth);
const large = await measure(whole);
const table = [
  '| list page | rows | tenth, ms | full, ms | tenth, database pages | full, database pages |',
  '|---|---:|---:|---:|---:|---:|',
  ...questions.map(({ title }, index) => {
    const [before, after] = [small.results[index]!, large.results[index]!];
    const cells = [
      title,
      after.rows,
      before.ms.toFixed(1),
      after.ms.toFixed(1),
      countPages(before.plans),
      countPages(after.plans),
    ];
    return `| ${cells.join(' | ')} |`;
  }),
].join('\n');
print(`\n${table}\n`);
const plans = questions.map(
  ({ title }, index) =>
    `### ${title}\n\n\`\`\`\n${large.results[index]!.plans.join('\n\n')}\n\`\`\`\n`,
);
fs.mkdirSync(path.dirname(resultFile), { recursive: true });
fs.writeFileSync(
  resultFile,
  `# Pages of large lists

${whole.users} users, ${whole.reports} reports and ${whole.auditEntries} audit entries in one
organization (full), and a tenth of each (tenth), on PostgreSQL with its default settings. Times are
medians of nine complete requests on one connection, on a machine that also did other work.
Database pages have 8 kB; the statements read them from memory or from disk. Their number does not
depend on other work.

${table}

On disk: ${large.sizes.map(({ name, megabytes }) => `${name} ${megabytes} MB`).join(', ')}.

## Plans at the full scale

The statements for the API key and its rate limit are left out, because every request has them. Each
section shows these plans in this order: the total or the matches, the rows of the page, their links.

${plans.join('\n')}`,
);
