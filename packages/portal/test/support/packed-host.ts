import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { findFreePort, send } from 'test-support';
import { vi } from 'vitest';

import { setOrigins } from '../../src/organizations/service.ts';
import type { TestPortal } from './portal.ts';

const repository = fileURLToPath(new URL('../../../../', import.meta.url));
const runFile = promisify(execFile);

const { packageManager } = JSON.parse(
  fs.readFileSync(path.join(repository, 'package.json'), 'utf8'),
) as { packageManager: string };
const names = ['contract', 'client', 'host', 'express', 'react'];

/**
 * Creates a host application outside the repository, with the built packages as they would be
 * published, and others of the registry.
 *
 * @param folders whose files are copied into it
 */
export async function createPackedHost(
  dependencies: readonly string[],
  folders: readonly string[],
): Promise<string> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'portal-embed-host-'));
  const packs = names.map((name) => path.join(folder, 'packs', `${name}.tgz`));
  await Promise.all(
    names.map((name, index) =>
      runFile('npx', ['-y', packageManager, 'pack', '--out', packs[index]!], {
        cwd: path.join(repository, 'packages', name),
      }),
    ),
  );
  fs.writeFileSync(path.join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  const flags = ['--prefer-offline', '--no-audit', '--no-fund'];
  await runFile('npm', ['install', ...flags, ...packs, ...dependencies], { cwd: folder });
  for (const each of folders) fs.cpSync(path.join(repository, each), folder, { recursive: true });
  return folder;
}

/** Copies the script of the custom element to the static files of an application. */
export const copyElement = (folder: string) =>
  fs.cpSync(
    path.join(folder, 'node_modules/@portal-embed/react/dist/element.global.js'),
    path.join(folder, 'public/portal-embed.js'),
  );

export interface PackedHost extends AsyncDisposable {
  address: string;
}

/** The variables of a host application whose users see Acme's portal. */
export const createHostEnv = ({ publicUrl, acme }: TestPortal): Record<string, string> => ({
  REPORTS_URL: publicUrl,
  ACME_API_KEY: acme.apiKey,
  ACME_ORGANIZATION_ID: acme.id,
  ACME_BASE_URL: acme.address,
  SESSION_SECRET: 'a secret of at least 32 characters',
});

/** Starts a program of the application on a free port, whose pages may embed Acme's portal. */
export async function startPackedHost(
  folder: string,
  portal: TestPortal,
  args: (port: string) => string[],
  createEnv: (address: string) => Record<string, string>,
): Promise<PackedHost> {
  const port = String(await findFreePort());
  const address = `http://acme.localhost:${port}`;
  await setOrigins(portal.acme.ctx, { embedOrigins: [address] });
  const child = spawn(process.execPath, args(port), {
    cwd: folder,
    // Its own process group, because some programs start others.
    detached: true,
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      PORT: port,
      ...createHostEnv(portal),
      ...createEnv(address),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (part: Buffer) => (output += String(part)));
  // `close` waits for all programs of the group.
  const closed = once(child, 'close');
  const stop = async () => {
    if (child.exitCode === null) process.kill(-child.pid!, 'SIGTERM');
    await closed;
  };
  const answers = vi.waitFor(() => send(address), { timeout: 240_000, interval: 200 });
  const ended = closed.then(() => Promise.reject(new Error('ended')));
  try {
    await Promise.race([answers, ended]);
  } catch {
    await stop();
    throw new Error(`The application did not start:\n${output}`);
  } finally {
    // These promises may reject later.
    answers.catch(() => {});
    ended.catch(() => {});
  }
  return { address, [Symbol.asyncDispose]: stop };
}

/** Runs `portal-embed-check` of the application, whatever its exit code. */
export async function runCheck(
  folder: string,
  portal: TestPortal,
  args: readonly string[],
): Promise<string> {
  const program = path.join(folder, 'node_modules/@portal-embed/host/dist/check/cli.js');
  const env = { PATH: process.env['PATH'], ...createHostEnv(portal) };
  return runFile(process.execPath, [program, ...args], { cwd: folder, env }).then(
    ({ stdout }) => stdout,
    (error: { stdout: string }) => error.stdout,
  );
}
