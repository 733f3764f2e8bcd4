import { Argument, type Command } from '@commander-js/extra-typings';

import { addCommand, type Cli } from '../cli.ts';

export function addBackupCommands(program: Command, cli: Cli): void {
  addCommand(program, 'backup', 'write the database and the data files to a file', [
    'portal backup portal.tar',
    'portal backup - | ssh backup@vault.example "cat > portal.tar"',
    'portal backup --check portal.tar',
  ])
    .addArgument(new Argument('<file>', 'new file, or - for standard output'))
    .option('--check', 'read a backup and check that it is complete and undamaged')
    .addHelpText(
      'after',
      '\nThe portal goes on meanwhile. The backup contains hashes of passwords and API keys: keep it secret.\nIt contains no sessions, unused links and invitations, and no settings of the environment.',
    )
    .action(async (file, { check }) => {
      const { runBackup, runCheck } = await import('./actions.ts');
      await (check ? runCheck(cli, file) : runBackup(cli, file));
    });

  addCommand(program, 'restore', 'fill an empty database from a backup, all or nothing', [
    'portal restore portal.tar',
    'portal restore portal.tar --revoke-keys',
  ])
    .addArgument(new Argument('<file>', 'file of the backup'))
    .option('--revoke-keys', 'revoke all API keys, such as after a theft')
    .addHelpText(
      'after',
      '\nNeeds the role that runs `portal migrate`, and a database without tables. Stop the portal first if\nit uses the embedded database. What was deleted or revoked since the backup works again; the command\nlists it.',
    )
    .action(async (file, { revokeKeys = false }) => {
      const { runRestore } = await import('./actions.ts');
      await runRestore(cli, file, { revokeKeys });
    });

  addCommand(program, 'copy', 'copy the database and the data files to an empty database', [
    'portal copy --to postgres://portal@db/portal',
    'portal copy --to /srv/portal',
  ])
    .requiredOption(
      '--to <target>',
      'address of an empty PostgreSQL database, or a new data directory for the embedded one',
    )
    .addHelpText(
      'after',
      '\nThe portal goes on meanwhile, but changes after the copy began are not in it. All sessions end.\nWith an address, the data files are in PORTAL_DATA_DIR afterwards. Put a password into PGPASSWORD, because\nother users of the machine can see the command line.',
    )
    .action(async ({ to }) => {
      const { runCopy } = await import('./actions.ts');
      await runCopy(cli, to);
    });
}
