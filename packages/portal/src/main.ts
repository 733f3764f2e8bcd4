import { createInterface } from 'node:readline/promises';

import { exitCodes } from './cli/exit-codes.ts';
import { run } from './cli/run.ts';

const { argv, env, stdin, stdout, stderr } = process;

/** Asks on standard error, because standard output is for results. */
async function ask(question: string): Promise<string | undefined> {
  const terminal = createInterface({ input: stdin, output: stderr });
  const left = new AbortController();
  terminal.once('close', () => left.abort());
  try {
    return await terminal.question(question, { signal: left.signal });
  } catch {
    return undefined;
  } finally {
    terminal.close();
  }
}

process.exitCode = await run(argv.slice(2), {
  env,
  stdout,
  stderr,
  ask: stdin.isTTY && stderr.isTTY ? ask : undefined,
  cwd: process.cwd(),
});
// Timers of a broken embedded database would keep the process alive.
if (process.exitCode !== exitCodes.done) setTimeout(() => process.exit(), 500).unref();
