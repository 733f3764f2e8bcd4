#!/usr/bin/env node
import { run } from './run.ts';

const controller = new AbortController();
// The run cleans up after the first signal. The second one ends the process.
for (const name of ['SIGINT', 'SIGTERM'] as const)
  process.on(name, () => {
    if (controller.signal.aborted) process.exit(2);
    process.stderr.write('Interrupted. Removing what the run created …\n');
    controller.abort();
  });

const { env, stdout, stderr } = process;
process.exitCode = await run(process.argv.slice(2), {
  env,
  stdout,
  stderr,
  signal: controller.signal,
});
