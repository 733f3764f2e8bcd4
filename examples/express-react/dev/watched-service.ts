import { fileURLToPath } from 'node:url';

import {
  startService,
  waitUntilUp,
  type Service,
  type ServiceOptions,
} from '../src/start/services.ts';

const reportModules = fileURLToPath(new URL('report-modules.mjs', import.meta.url));

export interface WatchedService extends Service {
  /** Resolves when the service answers; during a restart, when the new process does. */
  isUp: () => Promise<void>;
  /** Restarts the service if its process has loaded this file. */
  fileChanged: (file: string) => void;
}

/** Starts a service that can be restarted. After a crash it starts again with the next change. */
export function startWatchedService(
  options: ServiceOptions & {
    /** Address that answers with success when the service is ready. */
    readyUrl: string;
    /** Called with each source file that the process loads. */
    onLoaded: (file: string) => void;
    onRestarted: () => void;
  },
): WatchedService {
  const loaded = new Set<string>();
  let service: Service;
  let up: Promise<void>;
  let starting = new AbortController();

  const start = () => {
    starting = new AbortController();
    service = startService({
      ...options,
      // Optimizing WebAssembly, which the embedded database is, would delay each restart.
      execArgv: ['--liftoff-only', '--import', reportModules],
      onMessage: (message) => {
        const { loaded: file } = message as { loaded: string };
        loaded.add(file);
        options.onLoaded(file);
      },
      onUnexpectedEnd: () => {
        starting.abort();
        console.error(
          `The ${options.name} ended; see ${options.logFile}. It starts again with the next change.`,
        );
      },
    });
    return waitUntilUp(options.readyUrl, starting.signal);
  };

  const restart = async () => {
    starting.abort();
    const { signal } = (starting = new AbortController());
    await service.stop();
    // A change during the stop has begun a restart of its own.
    signal.throwIfAborted();
    await start();
    console.log(`Restarted the ${options.name}.`);
    options.onRestarted();
  };

  /** Requests that arrive during a restart wait for the process that will answer. */
  const isUp = async (): Promise<void> => {
    const awaited = up;
    const failed = await awaited.then(
      () => false,
      () => true,
    );
    if (up !== awaited) await isUp();
    else if (failed)
      throw new Error(`The ${options.name} does not answer; see ${options.logFile}.`);
  };

  up = start();
  up.catch(() => {});
  return {
    name: options.name,
    logFile: options.logFile,
    stop: () => {
      starting.abort();
      return service.stop();
    },
    isUp,
    fileChanged: (file) => {
      if (!loaded.has(file)) return;
      up = restart();
      up.catch(() => {});
    },
  };
}
