import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import pg from 'pg';
import { createTemporaryFolder, send, startPostgres } from 'test-support';
import { buildFirst } from 'test-support/build';
import { chooseRepetitions } from 'test-support/repetitions';
import { expect, it, onTestFinished } from 'vitest';

import { linkReports } from '../../src/access/report-links.ts';
import { linkUsers } from '../../src/access/role-links.ts';
import { openDatabase } from '../../src/db/connection/open.ts';
import { apply, ordersFiles, writeFiles } from '../support/content-files.ts';
import { ordersCsv } from '../support/orders.ts';
import { createTestOrganization } from '../support/organization.ts';
import { startPortalProcess } from '../support/processes.ts';
import { readSession } from '../support/viewer.ts';

buildFirst();

const minutes = chooseRepetitions(2, 60);
/** Enough samples for a median of each quarter. */
const sampleMs = Math.max(2_000, (minutes * 60_000) / 60);
const warmUpMs = 20_000;

const listProcesses = (pid: number): number[] => [
  pid,
  ...fs
    .readdirSync(`/proc/${pid}/task`)
    .flatMap((task) =>
      fs.readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean),
    )
    .flatMap((child) => listProcesses(Number(child))),
];

const readMemoryMb = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+)/m.exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024;

/** Bytes of the files of a folder. A file can vanish meanwhile. */
const readSize = (folder: string): number =>
  fs
    .readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => fs.statSync(path.join(folder, name), { throwIfNoEntry: false })?.size ?? 0)
    .reduce((sum, size) => sum + size, 0);

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]!;

it(
  `keeps its memory, handles and files in ${minutes} minutes at half of its load`,
  async () => {
    const cluster = await startPostgres();
    onTestFinished(() => cluster.stop());
    const dataDir = createTemporaryFolder('portal-soak-');
    onTestFinished(() => fs.rmSync(dataDir, { recursive: true, force: true }));
    const database = { databaseUrl: cluster.url('postgres'), dataDir };
    const { db, close } = await openDatabase(database);
    const acme = await createTestOrganization(
      { db, dataDir, publicUrl: 'http://localhost:4000' },
      'acme',
    );
    const datasetFolder = path.join(dataDir, 'datasets');
    writeFiles(path.join(datasetFolder, acme.id), { 'orders.csv': ordersCsv });
    const { changes } = await apply(acme.ctx, datasetFolder, { files: ordersFiles });
    const idOf = (of: string) => changes.find(({ kind }) => kind === of)!.id;
    const [datasetId, reportId] = [idOf('dataset'), idOf('report')];
    await linkReports(acme.ctx, { userEmail: acme.emails.both, reports: [reportId] });
    await linkUsers(acme.ctx, { datasetId, role: 'West', usersEmails: [acme.emails.both] });
    await close();
    const portal = await startPortalProcess(database, {
      env: { PORTAL_RATE_LIMIT: '0', PORTAL_VIEWER_RATE_LIMIT: '0' },
      forgetsOutput: true,
    });
    onTestFinished(() => portal.kill());
    const statistics = new pg.Client({ connectionString: database.databaseUrl });
    await statistics.connect();
    onTestFinished(() => statistics.end());

    const agent = new http.Agent({ keepAlive: true });
    const { host } = new URL(acme.address);
    const call = async (
      method: string,
      target: string,
      options: Parameters<typeof send>[1] = {},
    ) => {
      const answer = await send(portal.publicUrl + target, { method, agent, ...options });
      if (answer.status >= 400) throw new Error(`${method} ${target}: ${answer.body}`);
      return answer;
    };
    const api = (method: string, target: string, json?: unknown) =>
      call(method, target, { headers: { 'x-api-key': acme.apiKey }, json });
    let next = 0;
    /** A reader opens a report, filters it, and takes an export; a program adds a user and removes it. */
    const visit = async () => {
      const n = (next += 1);
      const minted = await api('POST', '/api/identity/url', {
        userEmail: acme.emails.both,
        organizationId: acme.id,
        reportId,
        baseUrl: acme.address,
      });
      const { pathname, search } = new URL(minted.json().embedUrl as string);
      const page = await call('GET', pathname + search, {
        headers: { host, 'sec-fetch-mode': 'navigate' },
      });
      const headers = { host, authorization: `Bearer ${readSession(page).bearer}` };
      const filters = [{ field: 'Region', values: ['West', `nobody-${n}`] }];
      const { page: shown } = (
        await call('POST', `/viewer/reports/${reportId}/view`, {
          headers,
          json: { intent: 'refresh', view: { filters, sorts: [], drills: [] } },
        })
      ).json();
      expect(shown.rows[0][0].value).toBe(30);
      const userEmail = `visitor-${n}@acme.example`;
      await api('POST', '/api/user', { email: userEmail, name: 'Visitor', role: 3 });
      await api('DELETE', `/api/user/${userEmail}`);
    };

    /** Visits one after the other in some lanes, until a time has passed. */
    const visitFor = async (ms: number, lanes: number, gapMs: number) => {
      const end = performance.now() + ms;
      const before = next;
      const lane = async () => {
        while (performance.now() < end) {
          await Promise.all([delay(gapMs), visit()]);
        }
      };
      await Promise.all(Array.from({ length: lanes }, lane));
      return next - before;
    };
    const most = await visitFor(warmUpMs, 4, 0);
    const gapMs = (warmUpMs * 4 * 2) / most;

    const samples: Record<string, number>[] = [];
    const sample = async () => {
      const { rows } = await statistics.query<{ urls: string; sessions: string }>(
        'SELECT (SELECT count(*) FROM identity_urls) AS urls, (SELECT count(*) FROM portal_sessions) AS sessions',
      );
      const processes = listProcesses(portal.pid);
      samples.push({
        visits: next,
        'portal MB': Math.round(readMemoryMb(portal.pid)),
        'all processes MB': Math.round(processes.reduce((sum, pid) => sum + readMemoryMb(pid), 0)),
        processes: processes.length,
        handles: fs.readdirSync(`/proc/${portal.pid}/fd`).length,
        'data KB': Math.round(readSize(dataDir) / 1_024),
        urls: Number(rows[0]!.urls),
        sessions: Number(rows[0]!.sessions),
      });
    };
    const sampling = new AbortController();
    const takeSamples = async () => {
      while (!sampling.signal.aborted) {
        await sample();
        await delay(sampleMs);
      }
    };
    const taking = takeSamples();
    await visitFor(minutes * 60_000, 4, gapMs);
    sampling.abort();
    await taking;
    console.table(samples);

    const quarter = Math.floor(samples.length / 4);
    const compare = (name: string) => {
      const medianOf = (part: number) =>
        median(samples.slice(part * quarter, (part + 1) * quarter).map((each) => each[name]!));
      return medianOf(3) / medianOf(1);
    };
    for (const name of ['portal MB', 'all processes MB', 'handles', 'data KB'])
      expect([name, compare(name)]).toEqual([name, expect.toSatisfy((ratio) => ratio < 1.15)]);
  },
  (minutes + 3) * 60_000,
);
