import fs from 'node:fs';

import { CouldNotRun } from '../could-not-run.ts';
import { checkHostConformance } from '../host/check-host.ts';
import { formatJunit, formatJunitError } from '../output/junit.ts';
import { exitCodeOf } from '../output/report.ts';
import { formatResult, formatSummary } from '../output/text.ts';
import { checkPortalConformance } from '../portal/check-portal.ts';
import type { Result } from '../rules/index.ts';
import { sanitize } from '../sanitize.ts';
import { readOptions } from './read-options.ts';
import { usage } from './usage.ts';

/** Where a command reads and writes. */
export interface Terminal {
  env: NodeJS.ProcessEnv;
  stdout: { write: (text: string) => unknown; isRead?: () => boolean };
  stderr: { write: (text: string) => unknown };
  /** Ends the run early. */
  signal: AbortSignal;
  /** Ends the removal early. Default: never. */
  cleanupSignal?: AbortSignal;
}

/** Runs one command, and returns its exit code. */
export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  try {
    return await runCommand(args, terminal);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const message = sanitize((error as Error).message);
    const isUsage = error instanceof CouldNotRun || code?.startsWith('ERR_PARSE_ARGS');
    terminal.stderr.write(
      isUsage
        ? `${message}\nFor help, run it with --help.\n`
        : `The checks could not run: ${message}\n`,
    );
    return 2;
  }
}

async function runCommand(
  args: readonly string[],
  { env, stdout, stderr, signal, cleanupSignal }: Terminal,
): Promise<number> {
  const parsed = readOptions(args, env);
  if (parsed.command === 'help') {
    stdout.write(usage);
    return 0;
  }
  const { junit, isQuiet } = parsed;
  // Before the checks, so that a path that cannot be written does not lose their results.
  if (junit !== undefined) fs.writeFileSync(junit, '');
  const print = (result: Result) => {
    if (!isQuiet || result.kind === 'failed') stdout.write(formatResult(result));
  };
  const check = () =>
    parsed.command === 'portal'
      ? checkPortalConformance({ ...parsed.options, signal, cleanupSignal }, print)
      : checkHostConformance({ ...parsed.options, signal }, print);
  const report = await check().catch((error: unknown) => {
    if (junit !== undefined) fs.writeFileSync(junit, formatJunitError((error as Error).message));
    throw error;
  });
  // The summary says what could not be removed.
  (stdout.isRead?.() === false ? stderr : stdout).write(formatSummary(report));
  if (junit !== undefined) fs.writeFileSync(junit, formatJunit(report));
  return exitCodeOf(report);
}
