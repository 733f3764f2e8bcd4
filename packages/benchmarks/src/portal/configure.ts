import pg from 'pg';
import type { PostgresCluster } from 'test-support';

/** For a cluster that is thrown away if anything happens while it is filled. */
export const settingsForLoading = {
  fsync: 'off',
  full_page_writes: 'off',
  autovacuum: 'off',
  max_wal_size: '16GB',
  shared_buffers: '1GB',
};

/** Restarts the server with these settings beside its defaults, and no others. */
export async function configure(
  cluster: PostgresCluster,
  settings: Record<string, string>,
): Promise<void> {
  const client = new pg.Client({ connectionString: cluster.url('postgres') });
  await client.connect();
  // Its settings are unknown until it is loaded.
  await client.query(`LOAD 'auto_explain'`);
  await client.query('ALTER SYSTEM RESET ALL');
  for (const [name, value] of Object.entries(settings))
    await client.query(`ALTER SYSTEM SET ${name} = '${value}'`);
  await client.end();
  await cluster.halt();
  await cluster.restart();
}
