import { z } from 'zod';

import type { ConnectionSettings } from '#report-engine';

export const connectionPrefix = 'PORTAL_CONNECTION_';

/** Name of the variable that defines the connection. */
export const connectionVariable = (name: string): string =>
  connectionPrefix + name.toUpperCase().replaceAll('-', '_');

const engines: Record<string, ConnectionSettings['engine']> = {
  'postgres:': 'postgres',
  'postgresql:': 'postgres',
  'clickhouse:': 'clickhouse',
  'clickhouses:': 'clickhouse',
};

/** Options that a ClickHouse address may have. */
const clickhouseOptions: ReadonlySet<string> = new Set(['sslrootcert']);

/** Reads the variables `PORTAL_CONNECTION_NAME`. Messages never contain the values. */
export const connectionVariables = z
  .record(z.string(), z.string().optional())
  .transform((variables, ctx) => {
    const connections: ConnectionSettings[] = [];
    for (const [variable, url = ''] of Object.entries(variables)) {
      if (!variable.startsWith(connectionPrefix)) continue;
      const problem = findNameProblem(variable) ?? findAddressProblem(url);
      if (problem === undefined) connections.push(readSettings(variable, url));
      else ctx.addIssue({ code: 'custom', path: [variable], message: problem });
    }
    return { connections };
  })
  .describe(
    'a database that holds rows of datasets: `postgres://…`, `clickhouse://…` or `clickhouses://…`',
  );

const readSettings = (variable: string, url: string): ConnectionSettings => ({
  name: variable.slice(connectionPrefix.length).toLowerCase().replaceAll('_', '-'),
  engine: engines[new URL(url).protocol] ?? 'postgres',
  url,
});

const findNameProblem = (variable: string): string | undefined =>
  /^[A-Z0-9]+(_[A-Z0-9]+)*$/.test(variable.slice(connectionPrefix.length)) && variable.length <= 80
    ? undefined
    : `must have a name of capital letters, digits and single underscores after ${connectionPrefix}, at most 62 characters`;

function findAddressProblem(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const engine = engines[url?.protocol ?? ''];
  if (!url || !engine || !isEncoded(url))
    return 'must be an address such as postgres://user:password@host/database or clickhouses://user:password@host:8443/database, with special characters in user and password percent-encoded';
  if (url.hostname === '' && !(engine === 'postgres' && url.searchParams.has('host')))
    return 'must name a host';
  if (engine === 'postgres') return undefined;
  const unknown = [...url.searchParams.keys()].find((name) => !clickhouseOptions.has(name));
  if (unknown === undefined) return undefined;
  // After a password with an unencoded "?", its rest would be the name.
  const named = /^[a-z_]+$/i.test(unknown)
    ? `the unknown option "${unknown}"`
    : 'an unknown option';
  return `has ${named}; the only option of ClickHouse is sslrootcert`;
}

/** Whether user, password and path can be decoded. */
function isEncoded({ username, password, pathname }: URL): boolean {
  try {
    decodeURIComponent(username + password + pathname);
    return true;
  } catch {
    return false;
  }
}
