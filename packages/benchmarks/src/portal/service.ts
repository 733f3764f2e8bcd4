import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import { findFreePort } from 'test-support';

export interface ServerProcess {
  pid: number;
  port: number;
  origin: string;
  stop: () => Promise<void>;
}

/** The program `portal`. */
export const portalBin = fileURLToPath(
  new URL('../bin/portal.js', import.meta.resolve('@portal-embed/portal')),
);

/**
 * Starts the real service as a process of its own, with everything on that is on by default.
 *
 * @param base the built repository of another version; default: this one
 */
export function startPortal(
  environment: Record<string, string>,
  base?: string,
): Promise<ServerProcess> {
  const program = base === undefined ? portalBin : path.join(base, 'packages/portal/bin/portal.js');
  return startServer([program, 'serve'], {
    // The benchmark sends more requests with one key than the default limit allows.
    PORTAL_RATE_LIMIT: '100000000',
    ...environment,
  });
}

/** Starts a Node program that listens on `PORTAL_PORT` and answers `/livez`. */
export async function startServer(
  argv: string[],
  environment: Record<string, string>,
): Promise<ServerProcess> {
  const port = await findFreePort();
  const origin = `http://localhost:${port}`;
  const child = spawn(process.execPath, [...profileFlags(), ...argv], {
    env: { ...process.env, PORTAL_PORT: String(port), ...environment },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  // The servers end with the benchmark.
  process.once('exit', () => child.kill());
  await waitUntilReady(origin, child);
  return {
    pid: child.pid!,
    port,
    origin,
    stop: async () => {
      child.kill('SIGTERM');
      if (child.exitCode === null) await once(child, 'exit');
    },
  };
}

/** `BENCHMARK_PROFILE=folder` keeps a CPU profile of each server there. */
const profileFlags = () => {
  const folder = process.env['BENCHMARK_PROFILE'];
  return folder ? ['--cpu-prof', '--cpu-prof-dir', folder] : [];
};

async function waitUntilReady(origin: string, child: ChildProcess): Promise<void> {
  for (let attempt = 0; attempt < 300; attempt++) {
    if (child.exitCode !== null) throw new Error(`The server ended with ${child.exitCode}.`);
    const answers = await fetch(`${origin}/livez`).then(
      (answer) => answer.ok,
      () => false,
    );
    if (answers) return;
    await delay(50);
  }
  throw new Error('The server did not start.');
}
