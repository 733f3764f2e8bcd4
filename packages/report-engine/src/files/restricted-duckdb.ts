import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api';

const memoryMb = 1_024;

/** A process has one task, with one connection, at a time. */
let current: DuckDBConnection | undefined;

/** How much of the current statement is done, from 0 to 100; `undefined` if DuckDB does not know. */
export function readPercent(): number | undefined {
  const percent = current?.progress.percentage ?? -1;
  return percent < 0 ? undefined : Math.min(percent, 100);
}

/** Opens DuckDB so that it can access only these files. */
export async function openRestricted(allowed: readonly string[]): Promise<DuckDBConnection> {
  const instance = await DuckDBInstance.create(':memory:', {
    threads: '2',
    memory_limit: `${memoryMb}MiB`,
    temp_directory: '',
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
  });
  const connection = await instance.connect();
  // Now the database ends with its only connection.
  instance.closeSync();
  current = connection;
  await connection.run('SET enable_progress_bar = true');
  await connection.run('SET enable_progress_bar_print = false');
  await connection.run(`SET allowed_paths = [${allowed.join(', ')}]`);
  await connection.run('SET enable_external_access = false');
  await connection.run('SET lock_configuration = true');
  return connection;
}
