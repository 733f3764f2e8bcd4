import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { readDemoEnvironment, type DemoEnvironment } from 'demo-data';
import { createTemporaryFolder, findFreePort, send, type Answer } from 'test-support';

export const repository = fileURLToPath(new URL('../../../', import.meta.url));

const quickWebAssembly = new URL(
  '../../../packages/test-support/src/quick-webassembly.mjs',
  import.meta.url,
);

/** Where a running demo is. */
export interface DemoPlace {
  dataDir: string;
  env: DemoEnvironment;
}

declare module 'vitest' {
  interface ProvidedContext {
    /** The demo that all files share, and what it printed when it was ready. */
    demo: DemoPlace & { screen: string };
  }
}

/** A run of `npm start`: its output and the data that it leaves behind. */
export interface Demo extends DemoPlace {
  output: () => string;
  /** Sends SIGINT, as Ctrl-C does, and resolves once all processes have exited. */
  interrupt: () => Promise<void>;
  remove: () => void;
}

/** Reads the logs of the portal and the host application. */
export const readLogs = ({ dataDir }: DemoPlace): string =>
  ['portal.log', 'host.log']
    .map((name) => fs.readFileSync(path.join(dataDir, name), 'utf8'))
    .join('');

export const newDataDir = (): string => createTemporaryFolder('portal-demo-');

/** Runs `npm start` on free ports and waits until it is ready. */
export async function startDemo(
  settings: { dataDir?: string; portalPort?: number; databaseUrl?: string } = {},
): Promise<Demo> {
  const { dataDir = newDataDir() } = settings;
  const { child, output, ready } = runScript('start', {
    PORTAL_PORT: String(settings.portalPort ?? (await findFreePort())),
    HOST_PORT: String(await findFreePort()),
    PORTAL_DATA_DIR: dataDir,
    PORTAL_DATABASE_URL: settings.databaseUrl ?? '',
  });
  await ready;
  return {
    dataDir,
    env: (await readDemoEnvironment(path.join(dataDir, 'demo.env'))) as DemoEnvironment,
    output,
    interrupt: async () => {
      // npm may exit before its children; `close` waits for them too.
      const ended = once(child, 'close');
      process.kill(-child.pid!, 'SIGINT');
      await ended;
    },
    remove: () => fs.rmSync(dataDir, { recursive: true, force: true }),
  };
}

/** Runs a command of the portal on the demo's data. */
export function runPortal(dataDir: string, ...args: string[]): string {
  return execFileSync(
    process.execPath,
    [path.join(repository, 'packages/portal/bin/portal.js'), ...args],
    {
      env: { ...process.env, PORTAL_DATA_DIR: dataDir, PORTAL_DATABASE_URL: '' },
      encoding: 'utf8',
    },
  );
}

/** Lets the pages of other origins embed Acme's portal. */
export function addEmbedOrigin({ dataDir, env }: DemoPlace, ...origins: string[]): void {
  runPortal(dataDir, 'organizations', 'set-embed-origins', 'acme', env.HOST_URL_ACME, ...origins);
}

/** Runs a script of the root in its own process group, so that SIGINT reaches all its processes. */
export function runScript(name: string, env: Record<string, string>, cwd: string = repository) {
  const child = spawn('npm', ['run', name], {
    cwd,
    detached: true,
    env: { ...process.env, NODE_OPTIONS: `--import ${quickWebAssembly.href}`, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  // In its own process group, it would not end when the tests are interrupted.
  const stop = () => process.kill(-child.pid!, 'SIGTERM');
  process.once('exit', stop);
  child.once('exit', () => process.off('exit', stop));
  let text = '';
  const collect = (chunk: Buffer) => {
    text += String(chunk);
  };
  child.stdout.on('data', collect);
  child.stderr.on('data', collect);
  /** Resolves with the line that begins with `ready`. */
  const ready = new Promise<void>((resolve, reject) => {
    child.stdout.on('data', () => {
      if (/^ready/m.test(text)) resolve();
    });
    child.once('exit', () => reject(new Error(`npm run ${name} ended:\n${text}`)));
  });
  // A test that expects a failure awaits the exit instead.
  ready.catch(() => {});
  return { child, output: () => text, ready };
}

/** Signs a user in at the host application and returns the session cookie. */
export async function signIn(hostUrl: string, email: string): Promise<string> {
  const answer = await send(`${hostUrl}/login`, {
    method: 'POST',
    body: new URLSearchParams({ email }).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  const [cookie] = answer.headers['set-cookie'] ?? [];
  if (!cookie) throw new Error(`The sign-in failed with status ${answer.status}.`);
  return cookie.split(';')[0]!;
}

export const requestUrl = (
  hostUrl: string,
  json: unknown,
  headers: Record<string, string>,
): Promise<Answer> => send(`${hostUrl}/portal-embed/url`, { method: 'POST', json, headers });
