#!/usr/bin/env node
import { run } from './run.ts';

const controller = new AbortController();
// After the first signal, the run removes what it created. The second signal ends the process.
for (const name of ['SIGINT', 'SIGTERM'] as const)
  process.on(name, () => {
    if (controller.signal.aborted) process.exit(2);
    process.stderr.write(
      'Interrupted. Removing what the check created. Press Ctrl-C again to stop without removing it.\n',
    );
    controller.abort();
  });

const { env, stdout, stderr } = process;
process.exitCode = await run(process.argv.slice(2), {
  env,
  stdout,
  stderr,
  signal: controller.signal,
});
