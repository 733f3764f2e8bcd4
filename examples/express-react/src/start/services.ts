import { fork } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import { createServer } from 'node:net';

export interface Service {
  name: string;
  logFile: string;
  /** Asks the process to end and resolves when it has. */
  stop: () => Promise<void>;
}

export interface ServiceProcess extends Service {
  send: (message: object) => void;
}

/** Whether nobody listens on the port, on either loopback address: browsers try both. */
export async function isPortFree(port: number): Promise<boolean> {
  return (await canListen(port, '127.0.0.1')) && (await canListen(port, '::1'));
}

function canListen(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    // A machine without IPv6 has nobody there.
    probe.once('error', (error: NodeJS.ErrnoException) => resolve(error.code !== 'EADDRINUSE'));
    probe.listen(port, host, () => probe.close(() => resolve(true)));
  });
}

export interface ServiceOptions {
  name: string;
  script: string;
  args?: readonly string[];
  /** Options of Node itself. */
  execArgv?: string[];
  logFile: string;
  env: Record<string, string>;
  onUnexpectedEnd: (service: Service) => void;
  onMessage?: (message: unknown) => void;
}

/** Starts a Node process whose output goes to a log file. */
export function startService(options: ServiceOptions): ServiceProcess {
  const { name, logFile } = options;
  const log = fs.openSync(logFile, 'a', 0o600);
  const child = fork(options.script, options.args ?? [], {
    env: { ...process.env, ...options.env },
    ...(options.execArgv && { execArgv: options.execArgv }),
    // Its own process group: Ctrl-C reaches this process alone, which stops the others in order.
    detached: true,
    // The channel closes when this process dies, however it dies; the service then ends too.
    stdio: ['ignore', log, log, 'ipc'],
  });
  fs.closeSync(log);
  let stopping = false;
  const service: ServiceProcess = {
    name,
    logFile,
    send: (message) => child.send(message),
    stop: async () => {
      stopping = true;
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
  if (options.onMessage) child.on('message', options.onMessage);
  child.once('exit', () => {
    if (!stopping) options.onUnexpectedEnd(service);
  });
  return service;
}

/**
 * Resolves when the address answers with success.
 *
 * @throws after half a minute, or when `signal` aborts
 */
export async function waitUntilUp(address: string, signal?: AbortSignal): Promise<void> {
  for (let attempt = 0; attempt < 600; attempt++) {
    signal?.throwIfAborted();
    const up = await fetch(address).then(
      (response) => response.ok,
      () => false,
    );
    if (up) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`Nothing answers at ${address}.`);
}

/** Returns the line of a log that says why its process ended. Node prints its version after an error. */
export function findReason(log: string): string {
  const lines = log.trimEnd().split('\n');
  return lines.findLast((line) => /^\w*Error\b.*: /.test(line)) ?? lines.at(-1)!;
}
