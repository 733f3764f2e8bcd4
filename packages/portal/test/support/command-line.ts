import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';

import { expect } from 'vitest';

import { run } from '../../src/cli/run.ts';
import { openDatabase } from '../../src/db/connection/open.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { createTestOrganization, type TestOrganization } from './organization.ts';
import { buildProgram } from './processes.ts';

/** How a command ended and what it wrote. */
export interface CommandResult {
  code: number | null;
  stdout: string;
  stderr: string;
  /** The standard output as JSON; what it should be is for the test to say. */
  // oxlint-disable-next-line typescript/no-explicit-any -- a test asserts on whatever comes
  json: () => any;
}

/** The form of an API key. */
export const keyPattern = /^pek_[\w-]{43}_[0-9a-f]{8}$/;

type Where = Pick<TestDatabase, 'dataDir' | 'databaseUrl'>;

const environment = ({ dataDir, databaseUrl }: Where) => ({
  PORTAL_DATA_DIR: dataDir,
  PORTAL_DATABASE_URL: databaseUrl ?? '',
  PORTAL_OPERATOR: 'olivia',
});

/** Runs one command of the built portal as a process of its own. */
export async function runCommand(
  database: Where,
  args: readonly string[],
  env: Record<string, string> = {},
  cwd?: string,
): Promise<CommandResult> {
  const child = spawn(process.execPath, [await buildProgram(), ...args], {
    cwd,
    env: { PATH: process.env['PATH'], ...environment(database), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null]>,
  ]);
  return { code, stdout, stderr, json: () => JSON.parse(stdout) };
}

/** The same without a process of its own, which takes a second to start. */
export async function runHere(database: Where, args: readonly string[]): Promise<CommandResult> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const outputs = Promise.all([text(stdout), text(stderr)]);
  const cwd = process.cwd();
  const code = await run(args, { env: environment(database), stdout, stderr, cwd });
  stdout.end();
  stderr.end();
  const [out, error] = await outputs;
  return { code, stdout: out, stderr: error, json: () => JSON.parse(out) };
}

/** A database with the organization `globex`. */
export async function createGlobex(): Promise<{
  database: TestDatabase;
  globex: TestOrganization;
}> {
  const database = await createTestDatabase();
  const { db, close } = await openDatabase(database);
  const globex = await createTestOrganization({ db, publicUrl: 'http://localhost:4000' }, 'globex');
  await close();
  return { database, globex };
}

export const ofGlobex = ['-o', 'globex'];

/** Runs a command here that must succeed and returns its JSON. */
export async function runDone(database: Where, args: readonly string[]) {
  const result = await runHere(database, [...args, '--json']);
  expect([args, result.code, result.stderr]).toEqual([args, 0, '']);
  return result.json();
}

/** Runs a command here that must be refused and returns its exit code and the error's own. */
export async function runRefused(
  database: Where,
  args: readonly string[],
): Promise<[number | null, string]> {
  const result = await runHere(database, [...args, '--json']);
  expect(result.stdout).toBe('');
  const { error } = JSON.parse(result.stderr) as { error: { code: string; detail: string } };
  expect(error.detail).toMatch(/\w/);
  return [result.code, error.code];
}

/** The names of all commands, as the program's own help lists them. */
export async function listCommands(): Promise<string[]> {
  const nowhere = { dataDir: '', databaseUrl: undefined };
  const readHelp = async (...names: string[]) => {
    const { stdout } = await runHere(nowhere, [...names, '--help']);
    const listed = stdout.split('\nCommands:\n')[1]?.split('\n\n')[0] ?? '';
    return [...listed.matchAll(/^ {2}([a-z][\w-]*)/gm)]
      .map((match) => match[1]!)
      .filter((name) => name !== 'help');
  };
  const commands: string[] = [];
  for (const name of await readHelp()) {
    const children = await readHelp(name);
    if (children.length === 0) commands.push(name);
    for (const child of children) commands.push(`${name} ${child}`);
  }
  return commands;
}
