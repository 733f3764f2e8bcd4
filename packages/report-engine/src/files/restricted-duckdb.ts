import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api';

const memoryMb = 1_024;

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
  await connection.run(`SET allowed_paths = [${allowed.join(', ')}]`);
  await connection.run('SET enable_external_access = false');
  await connection.run('SET lock_configuration = true');
  return connection;
}
