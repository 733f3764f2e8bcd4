import type { Command } from '@commander-js/extra-typings';

import { ReportError } from '#platform';
import { type Finding, createConnection, type ConnectionSettings } from '#report-engine';

import type { Config } from '../config.ts';
import { connectionVariable } from '../connections/connection-variables.ts';
import { presentConnection } from '../connections/presenter.ts';
import {
  grantConnection,
  listConnections,
  requireConnection,
  revokeConnection,
} from '../connections/service.ts';
import { addCommand, addOrganizationCommand, type Cli } from './cli.ts';
import { exitCodes } from './exit-codes.ts';
import { formatTable } from './output.ts';

const connectionsHelp = `
A connection is a database that holds rows of datasets. The environment of the portal defines it:
PORTAL_CONNECTION_WAREHOUSE=postgres://… or clickhouses://… defines \`warehouse\`.`;

export function addConnectionCommands(program: Command, cli: Cli): void {
  const connections = program
    .command('connections')
    .description('list and check connections to databases, and grant them to organizations')
    .addHelpText('after', connectionsHelp);

  addCommand(connections, 'list', 'list the connections and the organizations that may use them', [
    'portal connections list',
    'portal connections list --json',
  ]).action(() =>
    cli.onDatabase(async (db, config) => {
      const rows = (await listConnections(db, config.connections)).map(presentConnection);
      const cells = rows.map((row) => [
        row.name,
        row.engine,
        row.address,
        row.organizations.join(' ') || null,
      ]);
      const columns = ['NAME', 'ENGINE', 'ADDRESS', 'ORGANIZATIONS'];
      return { json: rows, text: formatTable(columns, cells, 'There are no connections.') };
    }),
  );

  addOrganizationCommand(connections, 'grant <name>', 'let an organization use a connection', [
    'portal connections grant warehouse -o acme',
    'portal connections grant warehouse -o globex --shared',
  ])
    .option('--shared', 'even if another organization may use it, too')
    .action((name: string, { shared = false, ...options }) =>
      cli.onOrganization(
        options,
        async (ctx) => {
          await grantConnection(ctx, cli.readConfig().connections, { name, shared });
          return {
            json: { organizationId: ctx.organizationId, name, shared },
            text: `${options.organization} may now use the connection ${name}.`,
          };
        },
        { action: 'grantConnection', subject: name },
      ),
    );

  addOrganizationCommand(
    connections,
    'revoke <name>',
    'no longer let an organization use a connection; its reports over the connection fail',
    ['portal connections revoke warehouse -o acme'],
  ).action((name: string, options) =>
    cli.onOrganization(
      options,
      async (ctx) => {
        await revokeConnection(ctx, name);
        return {
          json: { organizationId: ctx.organizationId, name },
          text: `${options.organization} may no longer use the connection ${name}.`,
        };
      },
      { action: 'revokeConnection', subject: name },
    ),
  );

  addCommand(
    connections,
    'check <name>',
    'connect to a database, and say what is wrong with the connection',
    ['portal connections check warehouse'],
  ).action((name: string) =>
    cli.onDatabase(async (_db, config) => {
      const settings = requireConnection(config.connections, name);
      const findings = await checkConnection(settings, config, cli.signal);
      if (findings.some(({ level }) => level === 'error')) cli.exitCode = exitCodes.failed;
      const cells = findings.map(({ level, text }) => [level, text]);
      return { json: { name, findings }, text: formatTable(['RESULT', 'FINDING'], cells, 'ok') };
    }),
  );
}

/** Connects once, whatever runs on the other connections of this process. */
async function checkConnection(
  settings: ConnectionSettings,
  { engine }: Config,
  signal = new AbortController().signal,
): Promise<Finding[]> {
  const connection = createConnection(settings, engine);
  try {
    return await connection.check(signal);
  } catch (error) {
    if (error instanceof ReportError) {
      const advice = `Check ${connectionVariable(settings.name)}, and whether the server runs and accepts this user.`;
      return [{ level: 'error', text: `${error.message} ${advice}` }];
    }
    throw error;
  } finally {
    await connection.close();
  }
}
