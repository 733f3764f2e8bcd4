import type { Command } from '@commander-js/extra-typings';

import type { Config } from '../config.ts';
import { addCommand, type Cli } from './cli.ts';
import { acceptCommands, type RunCommand } from './control/server.ts';
import { stopWithNpm } from './npm-parent.ts';

export function addServeCommand(program: Command, cli: Cli, run: RunCommand): void {
  addCommand(program, 'serve', 'run the portal until it is told to stop (SIGTERM or Ctrl-C)', [
    'portal serve',
    'PORTAL_PORT=8080 PORTAL_DATABASE_URL=postgres://portal@db/portal portal serve',
  ])
    .addHelpText('after', '\nMigrates the database first, unless PORTAL_MIGRATE is off.')
    .addHelpText('after', '\nIts log is JSON lines, with and without --json.')
    .action(() => serve(cli.readConfig(), run));
}

async function serve(config: Config, run: RunCommand): Promise<void> {
  // Express, DuckDB and the pages are for the server alone: other commands start without them.
  const [{ default: closeWithGrace }, { createLogger }, { startService }] = await Promise.all([
    import('close-with-grace'),
    import('../logger.ts'),
    import('../service.ts'),
  ]);
  const logger = createLogger(config.logLevel);
  const service = await startService(config, logger);
  // Only this process can use the embedded database, so it runs the commands of other processes.
  const stopCommands = config.databaseUrl
    ? undefined
    : await acceptCommands({ config, db: service.db, run });
  // Longer than the service itself allows: only for a stop that hangs.
  const delay = (config.drainNoticeSeconds + config.drainLimitSeconds + 5) * 1_000;
  const { close } = closeWithGrace({ delay, logger: false }, async ({ err, signal }) => {
    if (err) logger.fatal({ err }, 'stopping after an error');
    await stopCommands?.();
    // Supervisors send SIGTERM. After Ctrl-C there is no load balancer to notify.
    await service.stop({ now: signal !== 'SIGTERM' });
    logger.info('stopped');
  });
  // An error that nobody handles stops the service, with an exit code of failure.
  void service.broken.then((error) => {
    throw error;
  });
  // A parent that has exited cannot stop this process.
  process.once('disconnect', close);
  stopWithNpm();
}
