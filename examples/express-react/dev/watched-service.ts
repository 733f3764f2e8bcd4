import { fileURLToPath } from 'node:url';

import {
  startService,
  waitUntilUp,
  type Service,
  type ServiceOptions,
  type ServiceProcess,
} from '../src/start/services.ts';

const resolve = (file: string) => fileURLToPath(new URL(file, import.meta.url));

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
  const sources = new Set<string>();
  const libraries = new Set<string>();
  let service: ServiceProcess;
  /** The process of the next restart, which has loaded the libraries. */
  let standby: ServiceProcess | undefined;
  let standbyTimer: NodeJS.Timeout | undefined;
  let up: Promise<void>;
  let starting = new AbortController();

  const prepare = (): ServiceProcess => {
    const prepared = startService({
      ...options,
      execArgv: [
        // Optimizing WebAssembly, which the embedded database is, would delay each restart.
        '--liftoff-only',
        '--import',
        resolve('report-modules.mjs'),
        '--import',
        resolve('standby.mjs'),
      ],
      onMessage: (message) => {
        const { source, library } = message as { source?: string; library?: string };
        if (library !== undefined) libraries.add(library);
        if (source === undefined) return;
        sources.add(source);
        options.onLoaded(source);
      },
      onUnexpectedEnd: () => {
        starting.abort();
        console.error(
          `The ${options.name} ended; see ${options.logFile}. It starts again with the next change.`,
        );
      },
    });
    prepared.send({ libraries: [...libraries] });
    return prepared;
  };

  const start = async () => {
    starting = new AbortController();
    clearTimeout(standbyTimer);
    service = standby ?? prepare();
    standby = undefined;
    service.send({ start: true });
    await waitUntilUp(options.readyUrl, starting.signal);
    // For three seconds, the pages that reload need the processor.
    standbyTimer = setTimeout(() => (standby = prepare()), 3_000);
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
    stop: async () => {
      starting.abort();
      clearTimeout(standbyTimer);
      await Promise.all([service.stop(), standby?.stop()]);
    },
    isUp,
    fileChanged: (file) => {
      if (!sources.has(file)) return;
      up = restart();
      up.catch(() => {});
    },
  };
}
