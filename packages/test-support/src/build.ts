import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { beforeAll } from 'vitest';

const script = fileURLToPath(new URL('../../tooling/build.mjs', import.meta.url));
const timeoutMs = 300_000;

/** A build of unchanged packages takes less. */
const noticeMs = 2_000;

let building: Promise<void> | undefined;

/** Builds what is out of date, for tests that start built programs; once in each worker. */
export async function buildOnce(): Promise<void> {
  building ??= build(script);
  await building;
}

/** Runs a build, says so if it takes long, and ends it after its time limit. */
export async function build(
  program: string,
  { timeout = timeoutMs, notice = noticeMs } = {},
): Promise<void> {
  // Options that make a test's children run sources would only slow the build down.
  const { NODE_OPTIONS: _, ...env } = process.env;
  const timer = setTimeout(() => console.info('Building outdated packages …'), notice);
  try {
    await promisify(execFile)(process.execPath, [program], { env, timeout });
  } catch (error) {
    if (!(error as { killed?: boolean }).killed) throw error;
    throw new Error(
      `The build was ended after ${timeout / 1_000} s. Run npm run build, then the tests again.`,
      { cause: error },
    );
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Builds before the tests of a file, in a hook of its own: a build can take longer than other hooks may.
 * Call it before the hooks that need the build.
 */
export function buildFirst(): void {
  beforeAll(buildOnce, timeoutMs + 10_000);
}
