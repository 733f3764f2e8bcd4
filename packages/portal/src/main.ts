import { exitCodes } from './cli/exit-codes.ts';
import { run } from './cli/run.ts';

const { argv, env, stdout, stderr } = process;
process.exitCode = await run(argv.slice(2), { env, stdout, stderr, cwd: process.cwd() });
// Timers of a broken embedded database would keep the process alive.
if (process.exitCode !== exitCodes.done) setTimeout(() => process.exit(), 500).unref();
