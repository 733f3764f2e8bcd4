import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

import { findFreePort } from 'test-support';
import { buildOnce } from 'test-support/build';

/** A portal that runs in its own process. */
export interface PortalProcess {
  pid: number;
  port: number;
  publicUrl: string;
  /** The output of both streams. */
  output: () => string;
  /** Kills the process with SIGKILL. */
  kill: () => Promise<void>;
  /** Sends a signal and returns the exit code. */
  stop: (signal?: NodeJS.Signals) => Promise<number | null>;
  exited: Promise<number | null>;
}

/** Builds the portal if a source is newer and returns its program. */
export async function buildProgram(): Promise<string> {
  await buildOnce();
  return fileURLToPath(new URL('../../bin/portal.js', import.meta.url));
}

/**
 * Starts the built portal and resolves once it listens.
 *
 * @throws with the output if the portal exits before
 */
export async function startPortalProcess(
  database: { dataDir: string; databaseUrl: string | undefined },
  options: {
    port?: number;
    env?: Record<string, string>;
    nodeOptions?: string[];
    /** The `portal` program of another release. */
    program?: string;
    /** A program that starts Node, with its arguments. */
    wrapper?: string[];
    /** Whether the output after the start is dropped, as a long run needs. Default: kept. */
    forgetsOutput?: boolean;
  } = {},
): Promise<PortalProcess> {
  const program = options.program ?? (await buildProgram());
  const port = options.port ?? (await findFreePort());
  const publicUrl = `http://localhost:${port}`;
  // Optimizing WebAssembly takes half the processor time of a start, and these processes live briefly.
  const flags = ['--liftoff-only', ...(options.nodeOptions ?? [])];
  const [command = '', ...args] = [...(options.wrapper ?? []), process.execPath, ...flags];
  const child = spawn(command, [...args, program, 'serve'], {
    env: {
      PATH: process.env['PATH'],
      PORTAL_PORT: String(port),
      PORTAL_PUBLIC_URL: publicUrl,
      PORTAL_DATA_DIR: database.dataDir,
      PORTAL_DATABASE_URL: database.databaseUrl ?? '',
      // There is no load balancer to notify.
      PORTAL_DRAIN_NOTICE: '0',
      ...options.env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = once(child, 'close').then(([code]) => code as number | null);
  let output = '';
  await new Promise<void>((resolve, reject) => {
    let hasStarted = false;
    const collect = (chunk: Buffer) => {
      if (hasStarted && options.forgetsOutput) return;
      output += chunk.toString();
      hasStarted ||= output.includes('"msg":"listening"');
      if (hasStarted) resolve();
    };
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    child.once('error', reject);
    void exited.then(() => reject(new Error(`The portal ended before it listened:\n${output}`)));
  });
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    return exited;
  };
  return {
    pid: child.pid!,
    port,
    publicUrl,
    output: () => output,
    kill: async () => {
      await end('SIGKILL');
    },
    stop: (signal = 'SIGTERM') => end(signal),
    exited,
  };
}
