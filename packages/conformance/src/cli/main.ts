#!/usr/bin/env node
import { run } from './run.ts';

const { env, stdout, stderr } = process;
const [checks, removal] = [new AbortController(), new AbortController()];

/** The first signal starts the removal, the second one ends it with a list of what remains. */
function interrupt(): void {
  if (removal.signal.aborted) process.exit(2);
  if (checks.signal.aborted) {
    removal.abort();
    return;
  }
  checks.abort();
  stderr.write(
    'Interrupted. Removing what the check created. Press Ctrl-C again to list it instead.\n',
  );
}

for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, interrupt);
// A reader such as `head` ends early. Without a handler, the process would end at once.
let isRead = true;
stdout.on('error', () => {
  isRead = false;
  checks.abort();
});
stderr.on('error', () => {});

process.exitCode = await run(process.argv.slice(2), {
  env,
  stdout: { write: (text) => isRead && stdout.write(text), isRead: () => isRead },
  stderr,
  signal: checks.signal,
  cleanupSignal: removal.signal,
});
