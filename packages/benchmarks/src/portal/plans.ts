import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import pg from 'pg';
import type { PostgresCluster } from 'test-support';

import { configure } from './configure.ts';

/**
 * Has the server log the plan of each statement, and returns how to read what `work` caused.
 *
 * @param shared statements of every request, which are left out
 */
export async function recordPlans(
  cluster: PostgresCluster,
  shared = /api_keys|rate_limit_windows|identity_urls|portal_sessions/,
): Promise<(work: () => Promise<unknown>) => Promise<string[]>> {
  await configure(cluster, {
    logging_collector: 'on',
    log_line_prefix: '',
    session_preload_libraries: 'auto_explain',
    'auto_explain.log_min_duration': '0',
    'auto_explain.log_analyze': 'on',
    'auto_explain.log_buffers': 'on',
    'auto_explain.log_timing': 'off',
  });
  const client = new pg.Client({ connectionString: cluster.url('postgres') });
  await client.connect();
  const { rows } = await client.query<{ folder: string }>(
    `SELECT current_setting('data_directory') || '/log' AS folder`,
  );
  await client.end();

  const readLog = () => {
    const folder = rows[0]!.folder;
    return fs
      .readdirSync(folder)
      .toSorted()
      .map((name) => fs.readFileSync(path.join(folder, name), 'utf8'))
      .join('');
  };
  return async (work) => {
    await delay(200);
    const before = readLog().length;
    await work();
    await delay(200);
    return readPlans(readLog().slice(before), shared);
  };
}

/** The plans in a piece of the log, without the statements' texts. */
const readPlans = (log: string, shared: RegExp): string[] =>
  log
    .split(/^LOG: {2}/m)
    .filter((entry) => /duration: .*plan:/.test(entry))
    // Leaves out the API key and its rate limit, which all requests share, and the sweeper.
    .filter((entry) => !shared.test(entry))
    .filter((entry) => !/advisory_xact_lock|ctid/.test(entry))
    .map((entry) => {
      const lines = entry.split('\n').map((line) => line.replace(/^\t/, ''));
      const start = lines.findIndex((line) => /\(cost=/.test(line));
      const plan = lines.slice(start).join('\n').trimEnd();
      return plan.replace(/'\{([^,}]+),[^}]{100,}\}'/g, "'{$1,…}'");
    });

/** How many pages of 8 kB the statements touched, in memory or not: the same on a busy machine. */
export const countPages = (plans: readonly string[]): number =>
  plans.reduce((sum, plan) => {
    const buffers = /Buffers: shared (?:hit=(\d+))? ?(?:read=(\d+))?/.exec(plan);
    return sum + Number(buffers?.[1] ?? 0) + Number(buffers?.[2] ?? 0);
  }, 0);
