import { run } from './cli/run.ts';

const { argv, env, stdout, stderr } = process;
process.exitCode = await run(argv.slice(2), { env, stdout, stderr });
