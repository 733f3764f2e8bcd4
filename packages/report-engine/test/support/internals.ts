/** What the portal's tests use of the engine's inside. */
export { Connections } from '../../src/connections/connections.ts';
export { createPostgresConnection } from '../../src/connections/postgres/postgres-connection.ts';
export { folderFiles } from '../../src/storage/folder-files.ts';
export { storeVersion } from '../../src/data-files/versions.ts';
