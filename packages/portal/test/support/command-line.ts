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

/** The exit code and the output of a command. */
export interface CommandResult {
  code: number | null;
  stdout: string;
  stderr: string;
  /** The standard output, parsed as JSON. */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests assert on its fields
  json: () => any;
}

/** The format of an API key. */
export const keyPattern = /^pek_[\w-]{43}_[0-9a-f]{8}$/;

type Where = Pick<TestDatabase, 'dataDir' | 'databaseUrl'>;

const environment = ({ dataDir, databaseUrl }: Where) => ({
  PORTAL_DATA_DIR: dataDir,
  PORTAL_DATABASE_URL: databaseUrl ?? '',
  PORTAL_OPERATOR: 'olivia',
});

/** Runs one command of the built portal in its own process. */
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

/** Runs one command in this process, which is a second faster. */
export async function runInProcess(
  database: Where,
  args: readonly string[],
  env: Record<string, string> = {},
  cwd = process.cwd(),
): Promise<CommandResult> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const outputs = Promise.all([text(stdout), text(stderr)]);
  const terminal = { env: { ...environment(database), ...env }, stdout, stderr, cwd };
  const code = await run(args, terminal);
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
  const globex = await createTestOrganization(
    { db, dataDir: database.dataDir, publicUrl: 'http://localhost:4000' },
    'globex',
  );
  await close();
  return { database, globex };
}

export const ofGlobex = ['-o', 'globex'];

/** Runs a command that must succeed and returns its JSON. */
export async function runForResult(
  database: Where,
  args: readonly string[],
  env: Record<string, string> = {},
) {
  const result = await runInProcess(database, [...args, '--json'], env);
  expect([args, result.code, result.stderr]).toEqual([args, 0, '']);
  return result.json();
}

/** Runs a command that must fail and returns its exit code and error code. */
export async function runForError(
  database: Where,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<[number | null, string]> {
  const result = await runInProcess(database, [...args, '--json'], env);
  expect(result.stdout).toBe('');
  const { error } = JSON.parse(result.stderr) as { error: { code: string; detail: string } };
  expect(error.detail).toMatch(/\w/);
  return [result.code, error.code];
}

/** The names of all commands, read from the program's help. */
export async function listCommands(): Promise<string[]> {
  const noDatabase = { dataDir: '', databaseUrl: undefined };
  const readHelp = async (...names: string[]) => {
    const { stdout } = await runInProcess(noDatabase, [...names, '--help']);
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
