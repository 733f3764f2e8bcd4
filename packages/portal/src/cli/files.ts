import { Option, type Command } from '@commander-js/extra-typings';

import { listNamedByOrganization } from '../content/store.ts';
import { ConfigurationError } from '../errors.ts';
import { copyFiles, type CopyProgress } from '../files/copy.ts';
import { chooseStorage, datasetFolderOf, openCache } from '../files/open.ts';
import { addCommand, type Cli } from './cli.ts';
import { exitCodes } from './exit-codes.ts';
import { formatCount } from './output.ts';
import { createProgress } from './progress.ts';

const formatFiles = (count: number) => formatCount(count, 'file', 'files');

const describeProgress = ({ copied, present }: CopyProgress) =>
  `${formatFiles(copied)} copied, ${present} there already`;

export function addFilesCommands(program: Command, cli: Cli): void {
  const files = program.command('files').description('manage where data files are stored');

  addCommand(
    files,
    'copy',
    'copy the data files of all organizations between folder and database; removes nothing',
    ['portal files copy --to database', 'PORTAL_FILES=database portal files copy --to folder'],
  )
    .addOption(
      new Option('--to <storage>', 'where to copy the files')
        .choices(['database', 'folder'] as const)
        .makeOptionMandatory(),
    )
    .addHelpText(
      'after',
      '\nInstances can serve meanwhile. Files that were copied before are skipped, so an interrupted copy\ncontinues when you run it again. Run it once more before you change PORTAL_FILES, for files that were\napplied in the meantime.',
    )
    .action(({ to }) =>
      cli.onDatabase(async (db, config) => {
        if (config.databaseUrl === undefined)
          throw new ConfigurationError(
            'The embedded database stores no data files, because a large one would block it. To copy data files, set PORTAL_DATABASE_URL to a PostgreSQL database.',
          );
        const root = datasetFolderOf(config);
        cli.requireOwner(root);
        const isInUse = (await chooseStorage(db, config)) === to;
        const line = createProgress(cli);
        const { copied, present, problems } = await copyFiles(to, {
          db,
          root,
          cache: openCache(config),
          organizations: await listNamedByOrganization(db),
          isInUse,
          onProgress: (progress) => line.show(describeProgress(progress)),
          signal: cli.signal,
        }).finally(line.clear);
        if (problems.length > 0) cli.exitCode = exitCodes.failed;
        const failed = problems.map(
          ({ organizationId, file, message }) => `${organizationId}/${file}: ${message}\n`,
        );
        const next =
          problems.length > 0
            ? `${formatFiles(problems.length)} not copied. Run the command on an instance that has them, or apply their datasets again.`
            : isInUse && config.files === undefined
              ? 'Instances of this database use them, unless their PORTAL_FILES says otherwise.'
              : `Set PORTAL_FILES=${to} for every instance and every command, and restart the instances one after the other.`;
        return {
          json: { to, copied, present, problems },
          text: `${failed.join('')}${describeProgress({ copied, present, problems })}.\n${next}`,
        };
      }),
    );
}
