import fs from 'node:fs';
import type { Writable } from 'node:stream';

import { Command, CommanderError } from 'commander';

import { ConfigurationError } from '../config.ts';
import { isConnectionRefused, isDatabaseUnavailable } from '../db/availability.ts';
import { BrokenDatabaseError } from '../db/broken.ts';
import { LockedError } from '../db/lock.ts';
import { PortalError } from '../errors.ts';
import { addActivityCommands } from './activity.ts';
import { addApiKeyCommands } from './api-keys.ts';
import { addAuditCommands } from './audit.ts';
import { Cli, type Terminal } from './cli.ts';
import { exitCodes, exitCodesHelp } from './exit-codes.ts';
import { addGroupCommands } from './groups.ts';
import { addMigrateCommand } from './migrate.ts';
import { addOrganizationCommands } from './organizations.ts';
import { write } from './output.ts';
import { addReportCommands } from './reports.ts';
import { addServeCommand } from './serve.ts';
import { addUserCommands } from './users.ts';

const environmentHelp = `
The database is the PostgreSQL that PORTAL_DATABASE_URL names, or else the embedded one in
PORTAL_DATA_DIR (default .portal), which one process at a time can use: stop the server before any
other command. PORTAL_OPERATOR is your name in the activity log (default: your system's).`;

/**
 * Runs one command line and returns the exit code. `serve` returns as soon as it listens.
 *
 * @param args what follows the program's name
 */
export async function run(
  args: readonly string[],
  terminal: Terminal & { stderr: Writable },
): Promise<number> {
  const { stdout, stderr } = terminal;
  // Writing reports its own errors; a stream that nobody listens to would end the process.
  for (const stream of [stdout, stderr]) stream.on('error', () => {});
  const asJson = args.includes('--json');
  const program = createProgram(terminal, asJson);
  try {
    await program.parseAsync(args, { from: 'user' });
    return exitCodes.done;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return exitCodes.done;
    // It has told people already.
    if (error instanceof CommanderError && !asJson) return exitCodes.usage;
    // Whoever read the output has seen enough of it, such as `head`.
    if ((error as NodeJS.ErrnoException).code === 'EPIPE') return exitCodes.done;
    const failure = describeFailure(error);
    const text = asJson ? JSON.stringify({ error: failure }) : `portal: ${failure.detail}`;
    await write(stderr, `${text}\n`).catch(() => {});
    return failure.exitCode;
  }
}

function createProgram(terminal: Terminal & { stderr: Writable }, asJson: boolean): Command {
  const { stdout, stderr } = terminal;
  const program = new Command('portal')
    .description('The reports portal and its administration.')
    .addHelpText('after', `${environmentHelp}\n${exitCodesHelp}`)
    .version(readVersion())
    .exitOverride()
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => asJson || stderr.write(text),
    })
    .showHelpAfterError('(add --help for how to use this command)');
  const cli = new Cli(terminal);
  addServeCommand(program, cli);
  addMigrateCommand(program, cli);
  addOrganizationCommands(program, cli);
  addUserCommands(program, cli);
  addGroupCommands(program, cli);
  addReportCommands(program, cli);
  addApiKeyCommands(program, cli);
  addAuditCommands(program, cli);
  addActivityCommands(program, cli);
  return program;
}

function readVersion(): string {
  const file = new URL('../../package.json', import.meta.url);
  return (JSON.parse(fs.readFileSync(file, 'utf8')) as { version: string }).version;
}

function describeFailure(error: unknown): { exitCode: number; code: string; detail: string } {
  const detail = error instanceof Error ? error.message : String(error);
  if (error instanceof CommanderError)
    return {
      exitCode: exitCodes.usage,
      code: 'usage',
      detail:
        error.code === 'commander.help'
          ? 'Name a command. `portal --help` lists them.'
          : detail.replace(/^error: /, ''),
    };
  if (error instanceof PortalError)
    return {
      exitCode: error.code === 'invalid_request' ? exitCodes.usage : exitCodes.refused,
      code: error.code,
      detail,
    };
  if (error instanceof ConfigurationError)
    return { exitCode: exitCodes.usage, code: 'invalid_configuration', detail };
  if (error instanceof LockedError)
    return { exitCode: exitCodes.databaseInUse, code: 'database_in_use', detail };
  if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE')
    return {
      exitCode: exitCodes.failed,
      code: 'port_taken',
      detail: `Port ${(error as { port?: number }).port} is taken. Set PORTAL_PORT, or PORTAL_METRICS_PORT if it is that one, to a free port.`,
    };
  if (isConnectionRefused(error))
    return {
      exitCode: exitCodes.usage,
      code: 'invalid_configuration',
      detail: `The database refuses the connection (${detail}). Check user, password and sslmode in PORTAL_DATABASE_URL.`,
    };
  if (error instanceof BrokenDatabaseError)
    return { exitCode: exitCodes.databaseUnavailable, code: 'database_unavailable', detail };
  if (isDatabaseUnavailable(error))
    return {
      exitCode: exitCodes.databaseUnavailable,
      code: 'database_unavailable',
      detail: `The database does not answer (${detail}). Check PORTAL_DATABASE_URL, then try again.`,
    };
  return { exitCode: exitCodes.failed, code: 'internal_error', detail };
}
