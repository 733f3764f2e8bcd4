import { errorTable } from '@portal-embed/contract';
import { sql } from 'kysely';
import { findFreePort, send } from 'test-support';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { ReportError } from '#platform';

import { createMetrics, createMetricsServer, type Metrics } from '../../src/http/metrics.ts';
import { createLogger } from '../../src/logger.ts';
import { commit, version } from '../../src/version.ts';
import { disconnectReader } from '../support/disconnect.ts';
import { startTestPortal, type TestPortal } from '../support/portal.ts';
import { grantAgain, mint, open, startSession } from '../support/viewer.ts';

const usage = { max: 9, total: 5, idle: 2, waiting: 4 };

let portal: TestPortal;
let metrics: Metrics;
let url: string;
let closeMetrics: () => void;
beforeAll(async () => {
  metrics = createMetrics(() => usage);
  portal = await startTestPortal({ metrics });
  const port = await findFreePort();
  const server = createMetricsServer(metrics, createLogger('silent')).listen(port, '127.0.0.1');
  closeMetrics = () => server.close();
  url = `http://127.0.0.1:${port}`;
});
afterAll(async () => {
  closeMetrics();
  await portal.close();
});

/** Returns the value of one line of `/metrics`, or 0 without that line. */
async function read(line: string): Promise<number> {
  const { body } = await send(`${url}/metrics`);
  const found = body.split('\n').find((text) => text.startsWith(`${line} `));
  return found === undefined ? 0 : Number(found.slice(line.length + 1));
}

/** How much the value of the line grows during `work`. */
async function growth(line: string, work: () => Promise<unknown>): Promise<number> {
  const before = await read(line);
  await work();
  return (await read(line)) - before;
}

describe('/metrics', () => {
  const whole = () => ({ userEmail: portal.acme.emails.west });
  const durations = (labels: string) => `portal_http_request_duration_seconds_count{${labels}}`;

  it('is in Prometheus format, only at its own address', async () => {
    const answer = await send(`${url}/metrics`);
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toMatch(/^text\/plain; version=0\.0\.4/);
    expect((await portal.api('GET', '/metrics')).status).toBe(404);
  });

  it('explains each metric of the portal', async () => {
    const { body } = await send(`${url}/metrics`);
    expect([...body.matchAll(/^# HELP (portal_.*)$/gm)].map(([, help]) => help)).toEqual([
      'portal_http_request_duration_seconds Time from a request to the end of its answer.',
      'portal_identity_urls_minted_total Identity URLs issued.',
      'portal_identity_urls_redeemed_total Identity URLs that opened a portal session.',
      'portal_refusals_total Requests that were refused or failed, by the code of the error.',
      'portal_swept_rows_total Rows that the sweeper processed.',
      'portal_sweeper_last_success_timestamp_seconds When the sweeper last completed a sweep, or found another instance sweeping.',
      'portal_missing_data_files Data files that datasets name and this instance does not have.',
      'portal_unreadable_data_files Data files that datasets name and this instance has, but cannot read.',
      'portal_not_fetched_data_files Data files that datasets name and this instance could not fetch from the database.',
      'portal_database_errors_total Failures of the database, by cause.',
      'portal_build_info Always 1; the labels name the release, its commit and the version of Node.',
      'portal_database_connections Connections to the database.',
      'portal_database_connections_max Connections to the database that this instance may open for requests.',
      'portal_database_waiting Requests that wait for a connection.',
      'portal_report_duration_seconds Time to compute a report, including the wait for the engine.',
      'portal_report_failures_total Reports and tiles that could not be computed, by cause.',
      'portal_first_data_missing_total Pages of one report that were sent without its data, by the code of the error.',
      'portal_report_queries Queries of reports that run or wait for their turn.',
    ]);
  });

  it('answers other paths at that address with a problem document', async () => {
    for (const [method, path, code] of [
      ['GET', '/api/user', 'not_found'],
      ['POST', '/metrics', 'method_not_allowed'],
      ['GET', '/%zz', 'not_found'],
    ] as const) {
      const answer = await send(url + path, { method });
      expect([path, answer.status]).toEqual([path, errorTable[code].status]);
      expect(answer.headers['content-type']).toContain('application/problem+json');
      expect(answer.json()).toMatchObject({ code, requestId: answer.headers['x-request-id'] });
      expect(answer.headers).not.toHaveProperty('x-powered-by');
    }
  });

  it('measures requests by route, not by path', async () => {
    const line = durations('method="DELETE",route="/api/user/:userEmail",status="404"');
    const requests = async () => {
      for (const name of ['a', 'b']) await portal.api('DELETE', `/api/user/${name}@x.example`);
    };
    expect(await growth(line, requests)).toBe(2);
    const unknown = durations('method="GET",route="unmatched",status="404"');
    expect(await growth(unknown, () => portal.api('GET', '/some/where'))).toBe(1);
    expect((await send(`${url}/metrics`)).body).not.toMatch(/x\.example|some\/where/);
  });

  it('measures requests by method, with one label for all rare methods', async () => {
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH', 'PROPFIND']) {
      const label = ['PATCH', 'PROPFIND'].includes(method) ? 'other' : method;
      const line = durations(`method="${label}",route="unmatched",status="404"`);
      expect([method, await growth(line, () => portal.api(method, '/nowhere'))]).toEqual([
        method,
        1,
      ]);
    }
  });

  it('counts mints, redemptions and refusals, and the refusals by reason', async () => {
    let minted = '';
    const doMint = async () => (minted = await mint(portal, portal.acme, whole()));
    expect(await growth('portal_identity_urls_minted_total', doMint)).toBe(1);
    expect(await growth('portal_identity_urls_redeemed_total', () => open(minted))).toBe(1);
    const used = 'portal_refusals_total{code="identity_url_spent",reason="used"}';
    const openAgain = () => growth('portal_identity_urls_redeemed_total', () => open(minted));
    expect(await growth(used, async () => expect(await openAgain()).toBe(0))).toBe(1);
    const keyless = 'portal_refusals_total{code="invalid_api_key",reason=""}';
    expect(await growth(keyless, () => portal.api('GET', '/api/user', { key: null }))).toBe(1);
    const unknown = 'portal_refusals_total{code="user_not_found",reason=""}';
    const refused = () =>
      portal.api('POST', '/api/identity/url', { json: { userEmail: 'nobody@acme.example' } });
    expect(await growth(unknown, refused)).toBe(1);
    expect(await growth('portal_identity_urls_minted_total', refused)).toBe(0);
  });

  it('has report times, and failures and pages without data by cause', async () => {
    const { acme, tiles } = portal;
    const single = { userEmail: acme.emails.west, reportId: acme.reportId };
    const openOne = () => startSession(portal, acme, single);
    const computed = 'portal_report_duration_seconds_count{outcome="computed"}';
    expect(await growth(computed, openOne)).toBe(1);
    const reasons = ['crashed', 'failed', 'out_of_memory', 'overloaded', 'timeout'] as const;
    for (const reason of reasons) {
      const code = reason === 'overloaded' ? 'overloaded' : 'report_failed';
      const missing = `portal_first_data_missing_total{cause="${code}"}`;
      const failures = `portal_report_failures_total{cause="${reason}"}`;
      const failing = vi
        .spyOn(tiles, 'compute')
        .mockRejectedValueOnce(new ReportError(reason, 'for a test'));
      const countBoth = () =>
        growth(missing, async () => expect((await openOne()).view).toBeNull());
      expect([reason, await growth(failures, countBoth)]).toEqual([reason, 1]);
      expect(await read(missing)).toBeGreaterThan(0);
      failing.mockRestore();
    }
    expect(await read('portal_first_data_missing_total{cause="report_failed"}')).toBe(4);
    expect(await read('portal_report_queries{state="running"}')).toBe(0);
    expect(await read('portal_report_queries{state="waiting"}')).toBe(0);
  });

  it('counts pages without data after an unexpected failure', async () => {
    const { acme, db } = portal;
    const single = { userEmail: acme.emails.west, reportId: acme.reportId };
    const minted = await mint(portal, acme, single);
    await grantAgain(portal, acme, acme.emails.west);
    await sql`ALTER TABLE audit_entries RENAME TO audit_entries_away`.execute(db);
    const missing = 'portal_first_data_missing_total{cause="internal_error"}';
    const count = await growth(missing, () => open(minted));
    await sql`ALTER TABLE audit_entries_away RENAME TO audit_entries`.execute(db);
    expect(count).toBe(1);
  });

  it('counts the failure of a page with its code and the reason of its notice', async () => {
    const { acme, db } = portal;
    const minted = await mint(portal, acme, whole());
    await sql`ALTER TABLE identity_urls RENAME TO identity_urls_away`.execute(db);
    const failed = 'portal_refusals_total{code="internal_error",reason="unknown"}';
    const count = await growth(failed, () => open(minted));
    await sql`ALTER TABLE identity_urls_away RENAME TO identity_urls`.execute(db);
    expect(count).toBe(1);
  });

  it('measures requests in seconds', async () => {
    const total =
      'portal_http_request_duration_seconds_sum{method="GET",route="/livez",status="200"}';
    const startedAt = performance.now();
    const grown = await growth(total, () => portal.api('GET', '/livez'));
    expect(grown).toBeGreaterThan(0);
    expect(grown).toBeLessThan((performance.now() - startedAt) / 1_000);
  });

  it('counts a report as aborted, not failed, if its reader has disconnected', async () => {
    const disconnect = async () => {
      const requests = () =>
        read(durations('method="POST",route="/viewer/reports/:reportId/view",status="aborted"'));
      const before = await requests();
      await disconnectReader(portal);
      await expect.poll(requests).toBe(before + 1);
      await expect
        .poll(() => read('portal_report_duration_seconds_count{outcome="aborted"}'))
        .toBe(1);
    };
    expect(await growth('portal_report_failures_total{cause="failed"}', disconnect)).toBe(0);
  });

  it('does not count a page as one without data if its reader has disconnected', async () => {
    const sum = async () => {
      const { body } = await send(`${url}/metrics`);
      const counts = body.matchAll(/^portal_first_data_missing_total\{.*\} (\d+)$/gm);
      return [...counts].reduce((total, [, count]) => total + Number(count), 0);
    };
    const aborted = 'portal_report_duration_seconds_count{outcome="aborted"}';
    const [before, abortedBefore] = [await sum(), await read(aborted)];
    await disconnectReader(portal, { isFirst: true });
    await expect.poll(() => read(aborted)).toBe(abortedBefore + 1);
    expect(await sum()).toBe(before);
  });

  it('has buckets for requests and reports of up to a minute', async () => {
    await portal.api('GET', '/api/report');
    await startSession(portal, portal.acme, {
      userEmail: portal.acme.emails.west,
      reportId: portal.acme.reportId,
    });
    const { body } = await send(`${url}/metrics`);
    for (const name of ['portal_http_request_duration_seconds', 'portal_report_duration_seconds'])
      expect(body).toMatch(new RegExp(`${name}_bucket\\{le="60"`));
    const bounds = body.matchAll(
      /^portal_http_request_duration_seconds_bucket\{le="([^"]+)",.*route="\/api\/report",status="200"/gm,
    );
    expect([...bounds].map(([, bound]) => bound).join(' ')).toBe(
      '0.001 0.0025 0.005 0.01 0.025 0.05 0.1 0.25 0.5 1 2.5 5 10 20 30 60 +Inf',
    );
  });

  it('shows the pool’s connections, the sweeper’s work and the lag of the event loop', async () => {
    expect(await read('portal_database_connections{state="in_use"}')).toBe(3);
    expect(await read('portal_database_connections{state="idle"}')).toBe(2);
    expect(await read('portal_database_waiting')).toBe(4);
    expect(await read('portal_database_connections_max')).toBe(9);
    const sweep = async () => metrics.countSwept('identity_urls', 7);
    expect(await growth('portal_swept_rows_total{task="identity_urls"}', sweep)).toBe(7);
    metrics.noteSweep();
    const sweptAt = await read('portal_sweeper_last_success_timestamp_seconds');
    expect(Math.abs(sweptAt - Date.now() / 1_000)).toBeLessThan(60);
    const fail = async () => metrics.countDatabaseFailure('unreachable');
    expect(await growth('portal_database_errors_total{cause="unreachable"}', fail)).toBe(1);
    const fill = async () => metrics.countDatabaseFailure('disk_full');
    expect(await growth('portal_database_errors_total{cause="disk_full"}', fill)).toBe(1);
    metrics.noteDataFiles({ missing: 3, unreadable: 0, notFetched: 0 });
    metrics.noteDataFiles({ missing: 2, unreadable: 1, notFetched: 4 });
    expect(await read('portal_missing_data_files')).toBe(2);
    expect(await read('portal_unreadable_data_files')).toBe(1);
    expect(await read('portal_not_fetched_data_files')).toBe(4);
    const build = `portal_build_info{version="${version}",${commit ? `commit="${commit}",` : ''}node="${process.versions.node}"}`;
    expect(await read(build)).toBe(1);
    // Each reading starts a new measurement, which takes a moment.
    await expect.poll(() => read('nodejs_eventloop_lag_p99_seconds')).toBeGreaterThan(0);
  });
});
