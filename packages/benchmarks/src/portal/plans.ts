import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import pg from 'pg';
import type { PostgresCluster } from 'testing';

/** Has the server log the plan of each statement, and returns how to read what `work` caused. */
export async function recordPlans(
  cluster: PostgresCluster,
): Promise<(work: () => Promise<unknown>) => Promise<string[]>> {
  const client = new pg.Client({ connectionString: cluster.url('postgres') });
  await client.connect();
  // Its settings are unknown until it is loaded.
  await client.query(`LOAD 'auto_explain'`);
  const settings = {
    logging_collector: 'on',
    log_line_prefix: '',
    session_preload_libraries: 'auto_explain',
    'auto_explain.log_min_duration': '0',
    'auto_explain.log_analyze': 'on',
    'auto_explain.log_buffers': 'on',
    'auto_explain.log_timing': 'off',
  };
  for (const [name, value] of Object.entries(settings))
    await client.query(`ALTER SYSTEM SET ${name} = '${value}'`);
  const { rows } = await client.query<{ folder: string }>(
    `SELECT current_setting('data_directory') || '/log' AS folder`,
  );
  await client.end();
  await cluster.halt();
  await cluster.restart();

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
    return readPlans(readLog().slice(before));
  };
}

/** The plans in a piece of the log, without the statements' texts. */
const readPlans = (log: string): string[] =>
  log
    .split(/^LOG: {2}/m)
    .filter((entry) => /duration: .*plan:/.test(entry))
    // Authentication is the same for every request.
    .filter((entry) => !/api_keys|rate_limit_windows/.test(entry))
    .map((entry) => {
      const lines = entry.split('\n').map((line) => line.replace(/^\t/, ''));
      const start = lines.findIndex((line) => /\(cost=/.test(line));
      const plan = lines.slice(start).join('\n').trimEnd();
      return plan.replace(/'\{([^,}]+),[^}]{100,}\}'/g, "'{$1,…}'");
    });
