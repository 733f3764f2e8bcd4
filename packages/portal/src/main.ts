import closeWithGrace from 'close-with-grace';

import { readConfig, type Config } from './config.ts';
import { createLogger } from './logger.ts';
import { startService } from './service.ts';

async function serve(config: Config): Promise<void> {
  const logger = createLogger(config.logLevel);
  const service = await startService(config, logger);
  // Longer than the service itself allows: only for a stop that hangs.
  const { close } = closeWithGrace({ delay: 15_000, logger: false }, async ({ err }) => {
    if (err) logger.fatal({ err }, 'stopping after an error');
    await service.stop();
    logger.info('stopped');
  });
  // Whoever started us with a channel is gone: nobody would stop us otherwise.
  process.once('disconnect', close);
}

try {
  await serve(readConfig(process.env));
} catch (error) {
  const taken = (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
  const { message } = error as Error;
  process.stderr.write(
    taken ? 'portal: the port is taken. Set PORTAL_PORT to a free one.\n' : `portal: ${message}\n`,
  );
  process.exit(1);
}
