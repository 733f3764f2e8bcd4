import path from 'node:path';

import type { Command } from '@commander-js/extra-typings';

import type { Config } from '../config.ts';
import { prepareDataDir } from '../data-dir.ts';
import { datasetFolderOf } from '../files/open.ts';
import type { Assets } from '../pages/assets.ts';
import { addCommand, type Cli } from './cli.ts';
import { acceptCommands, type RunCommand } from './control/control-server.ts';
import { controlSocketPath } from './control/socket-path.ts';
import { stopWithNpm } from './npm-parent.ts';

export function addServeCommand(program: Command, cli: Cli, run: RunCommand): void {
  addCommand(program, 'serve', 'run the portal until SIGTERM or Ctrl-C', [
    'portal serve',
    'PORTAL_PORT=8080 PORTAL_DATABASE_URL=postgres://portal@db/portal portal serve',
  ])
    .addHelpText('after', '\nMigrates the database first, unless PORTAL_MIGRATE is off.')
    .addHelpText('after', '\nLog lines are always JSON, also without --json.')
    .action(() => {
      const config = cli.readConfig();
      cli.requireOwner(datasetFolderOf(config));
      if (!config.databaseUrl) cli.requireOwner(path.join(config.dataDir, 'database'));
      prepareDataDir(config.dataDir);
      return serve(config, run);
    });
}

/**
 * Runs the portal until it is told to stop; returns as soon as it listens.
 *
 * @param run runs a command that another process sends
 * @param assets the files of the pages; default: the built ones
 */
export async function serve(config: Config, run: RunCommand, assets?: Assets): Promise<void> {
  // If npm ends during the start, the parent later is another process.
  const parent = process.ppid;
  // Other commands start faster without Express, DuckDB and the pages.
  const [{ default: closeWithGrace }, { createLogger }, { startService }] = await Promise.all([
    import('close-with-grace'),
    import('../logger.ts'),
    import('../service.ts'),
  ]);
  const logger = createLogger(config.logLevel);
  // Refuses a folder that others can access before the service says that it is ready.
  if (!config.databaseUrl) controlSocketPath(config.dataDir);
  const service = await startService(config, logger, assets);
  // Only this process can use the embedded database, so it runs the commands of other processes.
  const stopCommands = config.databaseUrl
    ? undefined
    : await acceptCommands({ config, db: service.db, run });
  // If the stop exceeds the service's own limits, it hangs.
  const delay = (config.drainNoticeSeconds + config.drainLimitSeconds + 5) * 1_000;
  const { close } = closeWithGrace({ delay, logger: false }, async ({ err, signal }) => {
    if (err) logger.fatal({ err }, 'stopping after an error');
    await stopCommands?.();
    // Supervisors send SIGTERM. After Ctrl-C there is no load balancer to notify.
    await service.stop({ now: signal !== 'SIGTERM' });
    logger.info('stopped');
  });
  // An unhandled error stops the service with a failure exit code.
  void service.broken.then((error) => {
    throw error;
  });
  // A parent that has exited cannot stop this process. It may have exited during the start.
  process.once('disconnect', close);
  if (process.send && !process.connected) close();
  stopWithNpm(parent);
}
