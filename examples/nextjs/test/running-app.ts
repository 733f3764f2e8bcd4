import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { findFreePort, send } from 'test-support';
import type { RunningExample } from 'test-support/host-example';
import { vi } from 'vitest';

const run = promisify(execFile);
const buildScript = fileURLToPath(new URL('build.mjs', import.meta.url));
const example = fileURLToPath(new URL('..', import.meta.url));
const next = path.join(example, 'node_modules/next/dist/bin/next');
const { PATH } = process.env;
const inherited = { PATH, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' } as const;

/** Builds the application without its variables, and starts it with them. */
export async function startNext(env: Record<string, string>): Promise<RunningExample> {
  await run(process.execPath, [buildScript], { env: inherited });
  return start(example, env);
}

/** Builds and starts a copy of the application with one more setting of Next.js. */
export async function startNextWith(
  setting: Record<string, unknown>,
  env: Record<string, string>,
): Promise<RunningExample> {
  await run(process.execPath, [buildScript], { env: inherited });
  const copy = path.join(example, 'dist', Object.keys(setting).join('-'));
  fs.rmSync(copy, { recursive: true, force: true });
  for (const name of ['app', 'lib', 'package.json', 'proxy.ts'])
    fs.cpSync(path.join(example, name), path.join(copy, name), { recursive: true });
  const config = {
    ...setting,
    typescript: { ignoreBuildErrors: true },
    turbopack: { root: path.join(example, '../..') },
  };
  fs.writeFileSync(path.join(copy, 'next.config.mjs'), `export default ${JSON.stringify(config)};`);
  await run(process.execPath, [next, 'build'], { cwd: copy, env: inherited });
  const app = await start(copy, env);
  return {
    ...app,
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]();
      fs.rmSync(copy, { recursive: true, force: true });
    },
  };
}

async function start(folder: string, env: Record<string, string>): Promise<RunningExample> {
  const port = await findFreePort();
  const args = [next, 'start', '--hostname', '127.0.0.1', '--port', String(port)];
  const server = spawn(process.execPath, args, {
    cwd: folder,
    env: { ...inherited, ...env },
    stdio: 'inherit',
  });
  await vi.waitFor(() => send(`http://host.localhost:${port}`), 120_000);
  return {
    port,
    async [Symbol.asyncDispose]() {
      server.kill();
      await once(server, 'exit');
    },
  };
}
