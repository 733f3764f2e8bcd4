import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const script = fileURLToPath(new URL('../../tooling/build.mjs', import.meta.url));
let building: Promise<unknown> | undefined;

/** Builds what is out of date, for tests that start built programs; once in each test file. */
export async function buildOnce(): Promise<void> {
  // Options that make a test's children run sources would only slow the build down.
  const { NODE_OPTIONS: _, ...env } = process.env;
  building ??= promisify(execFile)(process.execPath, [script], { env });
  await building;
}
