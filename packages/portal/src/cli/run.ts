import { Command, CommanderError, Option } from '@commander-js/extra-typings';

import { isDiskFull, isNotPermitted } from '#server-kit';

import { BackupError } from '../backup/backup-error.ts';
import { BrokenDatabaseError } from '../db/connection/broken.ts';
import {
  describeRefusal,
  describeUnreachable,
  failureAdvice,
  findFailureCause,
} from '../db/connection/database-failures.ts';
import { LockedError } from '../db/embedded/lock.ts';
import { ConfigurationError, PortalError, PortTakenError } from '../errors.ts';
import { describeUnknown } from '../start-warnings.ts';
import { versionWithCommit } from '../version.ts';
import { addActivityCommands } from './activity.ts';
import { addAdministratorCommands } from './administrators.ts';
import { addApiKeyCommands } from './api-keys.ts';
import { addAuditCommands } from './audit.ts';
import { addBackupCommands } from './backup/commands.ts';
import { Cli, type Terminal } from './cli.ts';
import { addCompanyCommands } from './companies.ts';
import { addConnectionCommands } from './connections.ts';
import { addContentCommands } from './content-commands.ts';
import { exitCodes, exitCodesHelp } from './exit-codes.ts';
import { addFilesCommands } from './files.ts';
import { addGroupCommands } from './groups.ts';
import { addMigrateCommand } from './migrate.ts';
import { addOperatorCommands } from './operators.ts';
import { addOrganizationCommands } from './organizations.ts';
import { write } from './output.ts';
import { addPlatformCommands } from './platforms.ts';
import { addReportCommands } from './reports.ts';
import { addRoleCommands } from './roles.ts';
import { addServeCommand } from './serve.ts';
import { addSessionCommands } from './sessions.ts';
import { addUserCommands } from './users.ts';

const environmentHelp = `
Commands use the PostgreSQL database PORTAL_DATABASE_URL or, without it, the embedded database in
PORTAL_DATA_DIR (default .portal). While a server uses the embedded database, the server runs your
command. PORTAL_OPERATOR is your name in the activity log (default: your system user name).`;

/**
 * Runs one command line and returns the exit code. `serve` returns as soon as it listens. While a
 * server holds the embedded database, the server runs every other command.
 *
 * @param args arguments after the program's name
 */
export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  const { stdout, stderr } = terminal;
  // Each write reports its own errors. Without a listener, an error event would end the process.
  for (const stream of [stdout, stderr]) stream.on('error', () => {});
  const asJson = args.includes('--json');
  const cli = new Cli(args, terminal);
  const program = createProgram(cli, terminal, asJson);
  try {
    try {
      await program.parseAsync(args, { from: 'user' });
      return cli.exitCode;
    } catch (error) {
      const exitCode = cli.isLockedOut ? await cli.forward() : undefined;
      if (exitCode === undefined) throw error;
      return exitCode;
    }
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return exitCodes.done;
    // Commander has printed the message.
    if (error instanceof CommanderError && !asJson) return exitCodes.usage;
    // The reader, such as `head`, has closed the pipe.
    if ((error as NodeJS.ErrnoException).code === 'EPIPE') return exitCodes.done;
    const failure = describeFailure(error);
    const text = asJson ? JSON.stringify({ error: failure }) : `portal: ${failure.detail}`;
    await write(stderr, `${text}\n`).catch(() => {});
    return failure.exitCode;
  }
}

function createProgram(cli: Cli, { stdout, stderr, server }: Terminal, asJson: boolean): Command {
  const program = new Command('portal')
    .description('The reports portal and its administration.')
    .addHelpText('after', `${environmentHelp}\n${exitCodesHelp}`)
    .version(versionWithCommit)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => asJson || stderr.write(text),
    })
    .showHelpAfterError('(add --help for how to use this command)');
  addServeCommand(program, cli, run);
  addMigrateCommand(program, cli);
  addBackupCommands(program, cli);
  addOrganizationCommands(program, cli);
  addUserCommands(program, cli);
  addAdministratorCommands(program, cli);
  addOperatorCommands(program, cli);
  addGroupCommands(program, cli);
  addCompanyCommands(program, cli);
  addReportCommands(program, cli);
  addRoleCommands(program, cli);
  addContentCommands(program, cli);
  addFilesCommands(program, cli);
  addConnectionCommands(program, cli);
  addPlatformCommands(program, cli);
  addApiKeyCommands(program, cli);
  addSessionCommands(program, cli);
  addAuditCommands(program, cli);
  addActivityCommands(program, cli);
  for (const group of [program, ...program.commands])
    if (group.commands.length > 0) group.addOption(new Option('--json', 'print JSON'));
  program.hook('preAction', async (_program, command) => {
    cli.asJson = command.optsWithGlobals()['json'] === true;
    const { unknownVariables } = cli.readConfig();
    // `serve` logs these warnings. The caller of a command that runs on the server has printed them.
    if (command.name() === 'serve' || server) return;
    for (const warning of unknownVariables.map(describeUnknown)) {
      const text = asJson ? JSON.stringify({ warning }) : `portal: warning: ${warning}`;
      await write(stderr, `${text}\n`).catch(() => {});
    }
  });
  return program;
}

function describeFailure(error: unknown): { exitCode: number; code: string; detail: string } {
  const detail = error instanceof Error ? error.message : String(error);
  if (error instanceof CommanderError)
    return {
      exitCode: exitCodes.usage,
      code: 'usage',
      detail:
        error.code === 'commander.help'
          ? 'There is no command. Add one; `portal --help` lists them.'
          : detail.replace(/^error: /, ''),
    };
  if (
    error instanceof PortalError &&
    /^(schema_outdated|portal_outdated|invalid_content)$/.test(error.code)
  )
    return { exitCode: exitCodes.failed, code: error.code, detail };
  if (error instanceof PortalError)
    return {
      exitCode: error.code === 'invalid_request' ? exitCodes.usage : exitCodes.refused,
      code: error.code,
      detail,
    };
  if (error instanceof ConfigurationError)
    return { exitCode: exitCodes.usage, code: 'invalid_configuration', detail };
  if (error instanceof BackupError)
    return {
      exitCode: error.code === 'not_empty' ? exitCodes.refused : exitCodes.failed,
      code: error.code,
      detail,
    };
  if (error instanceof LockedError)
    return { exitCode: exitCodes.databaseInUse, code: 'database_in_use', detail };
  if (error instanceof PortTakenError)
    return { exitCode: exitCodes.failed, code: 'port_taken', detail };
  const refusal = describeRefusal(error);
  if (refusal !== undefined)
    return { exitCode: exitCodes.usage, code: 'invalid_configuration', detail: refusal };
  if (error instanceof BrokenDatabaseError)
    return { exitCode: exitCodes.databaseUnavailable, code: 'database_unavailable', detail };
  const { path: file, code } = error as NodeJS.ErrnoException;
  if (isNotPermitted(error) && file !== undefined)
    return {
      exitCode: exitCodes.failed,
      code: 'not_permitted',
      detail: `This user may not access ${file} (${code}). Check its owner and its permissions.`,
    };
  if (isDiskFull(error))
    return {
      exitCode: exitCodes.failed,
      code: 'disk_full',
      detail: `A disk that this command writes to is full (${code}). Free some space, then run the command again.`,
    };
  const cause = findFailureCause(error);
  if (cause)
    return {
      exitCode: exitCodes.databaseUnavailable,
      code: 'database_unavailable',
      detail: `${describeUnreachable(error) ?? failureAdvice[cause]} (${detail})`,
    };
  return { exitCode: exitCodes.failed, code: 'internal_error', detail };
}
