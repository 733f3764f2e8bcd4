/** `npm run dev`: the portal and the example host application from their sources. */
import { spawn } from 'node:child_process';

import { install, repository } from './prepare.mjs';

const npm = process.ppid;
await install();
const { tsImport } = await import('tsx/esm/api');
const { stopWithNpm } = await tsImport('../portal/src/cli/npm-parent.ts', import.meta.url);
stopWithNpm(npm);

const child = spawn(process.execPath, ['examples/express-react/dev/start.ts'], {
  cwd: repository,
  stdio: 'inherit',
  env: {
    ...process.env,
    NODE_ENV: 'development',
    // For every process below it. Engine processes of the portal inherit this variable, too.
    NODE_OPTIONS: `--conditions=source --import ${import.meta.resolve('tsx')}`,
  },
});
child.once('exit', (code) => process.exit(code ?? 1));
// Ctrl-C reaches the child by itself.
process.on('SIGINT', () => {});
for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
