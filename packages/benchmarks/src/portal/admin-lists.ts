/**
 * Measures the requests of the administration pages beside the API's own lists, with 1,000,000 users,
 * 10,000,000 entries of the access log and as many of the activity log, on PostgreSQL. `SCALE=0.1` is a
 * tenth. Keeps the table in `results/admin-lists.md`, and writes the plans of the requests whose names
 * contain `PLANS` to the terminal.
 */
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { startPostgres } from 'test-support';

import { requests, type ListRequest } from './admin-lists-requests.ts';
import { adminRows } from './admin-lists-seed.ts';
import { configure, settingsForLoading } from './configure.ts';
import { countPages, recordPlans } from './plans.ts';
import { seedScale } from './seed.ts';
import { portalBin, startPortal, type ServerProcess } from './service.ts';

const factor = Number(process.env['SCALE'] ?? 1);
const scale = { users: 1e6 * factor, reports: 2e4 * factor, auditEntries: 1e7 * factor };
const activityEntries = 1e7 * factor;
const rounds = 9;
const sharedStatements = /key_hash|rate_limit_windows|admin_sessions|identity_urls|portal_sessions/;
const resultFile = fileURLToPath(new URL('../../results/admin-lists.md', import.meta.url));
const print = (text: string) => process.stdout.write(`${text}\n`);

/** Returns the status of the answer. */
type Send = (request: ListRequest) => Promise<number>;

/** Signs an operator in, who may send every request. */
async function signIn(databaseUrl: string, { origin }: ServerProcess): Promise<string> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [portalBin, 'operators', 'invite', 'benchmark@portal.example', '--json'],
    { env: { ...process.env, PORTAL_DATABASE_URL: databaseUrl, PORTAL_ADMIN_URL: origin } },
  );
  const token = /invitation#([\w-]+)/.exec(stdout)![1]!;
  const answer = await fetch(`${origin}/admin/api/invitation/accept`, {
    method: 'POST',
    headers: { origin, 'content-type': 'application/json' },
    body: JSON.stringify({ token, password: 'a long sentence to measure with' }),
  });
  if (!answer.ok) throw new Error(await answer.text());
  return answer.headers.get('set-cookie')!.split(';')[0]!;
}

async function withPortal<Value>(
  databaseUrl: string,
  { key, organizationId }: { key: string; organizationId: string },
  work: (send: Send) => Promise<Value>,
): Promise<Value> {
  const portal = await startPortal({ PORTAL_DATABASE_URL: databaseUrl, PORTAL_DATA_DIR: '/tmp' });
  try {
    const cookie = await signIn(databaseUrl, portal);
    const base = `${portal.origin}/admin/api/organizations/${organizationId}`;
    return await work(async ({ of, path }) => {
      const answer =
        of === 'API'
          ? await fetch(portal.origin + path, { headers: { 'x-api-key': key } })
          : await fetch(base + path, { headers: { cookie } });
      const text = await answer.text();
      // A statement that takes too long is a result.
      if (!answer.ok && answer.status !== 503) throw new Error(`${path}: ${text}`);
      return answer.status;
    });
  } finally {
    await portal.stop();
  }
}

async function time(send: Send, request: ListRequest): Promise<number | 'too long'> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const start = performance.now();
    if ((await send(request)) === 503) return 'too long';
    times.push(performance.now() - start);
  }
  return times.toSorted((a, b) => a - b)[Math.floor(rounds / 2)]!;
}

const cluster = await startPostgres();
try {
  const databaseUrl = cluster.url('postgres');
  const started = performance.now();
  await configure(cluster, settingsForLoading);
  const made = await seedScale(databaseUrl, scale, adminRows(scale.users, activityEntries));
  await configure(cluster, {});
  print(`seeded in ${((performance.now() - started) / 1_000).toFixed(0)} s`);

  const all = requests(scale);
  const times = await withPortal(databaseUrl, made, async (send) => {
    const measured: (number | 'too long')[] = [];
    for (const request of all) measured.push(await time(send, request));
    return measured;
  });
  const capture = await recordPlans(cluster, sharedStatements);
  const plans = await withPortal(databaseUrl, made, async (send) => {
    const captured: string[][] = [];
    for (const request of all) captured.push(await capture(() => send(request)));
    return captured;
  });

  const wanted = process.env['PLANS'];
  for (const [index, { title }] of all.entries())
    if (wanted !== undefined && title.includes(wanted))
      print(`### ${title}\n\n${plans[index]!.join('\n\n')}\n`);
  const table = [
    '| list | request | ms | database pages |',
    '|---|---|---:|---:|',
    ...all.map(({ of, title }, index) => {
      const ms = times[index]!;
      const pages = countPages(plans[index]!);
      const cells = [of, title, typeof ms === 'number' ? ms.toFixed(1) : ms, pages];
      return `| ${cells.join(' | ')} |`;
    }),
  ].join('\n');
  print(table);
  fs.writeFileSync(
    resultFile,
    `# Requests of the administration pages

${scale.users} users, ${scale.reports} reports, ${scale.auditEntries} entries of the access log and
${activityEntries} of the activity log in one organization, on PostgreSQL with its default settings,
measured by \`admin-lists\`. Times are medians of ${rounds} complete requests on one connection, on a
machine that also did other work. Database pages have 8 kB; their number does not depend on other
work. \`API\` are the API's own lists of the same run.

${table}
`,
  );
} finally {
  await cluster.stop();
}
