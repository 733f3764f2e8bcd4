import { ConfigurationError } from '../../../config.ts';
import type { ConnectionSettings } from '../../../connections/config.ts';
import type { Connection } from './connection.ts';
import { Connections, type ConnectionLimits } from './connections.ts';
import { createPostgresConnection } from './postgres/connection.ts';

/** Creates a connection, which connects when it is used. */
export function createConnection(
  { name, engine, url }: ConnectionSettings,
  { sourceQueries }: Pick<ConnectionLimits, 'sourceQueries'>,
): Connection {
  if (engine === 'postgres')
    return createPostgresConnection({ name, url, connections: sourceQueries });
  throw new ConfigurationError(`This portal has no connections to ${engine}.`);
}

/** Creates the connections of the environment. */
export const openConnections = (
  settings: readonly ConnectionSettings[],
  limits: ConnectionLimits,
): Connections =>
  new Connections(
    settings.map((each) => createConnection(each, limits)),
    limits,
  );
