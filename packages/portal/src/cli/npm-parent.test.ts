import { spawn } from 'node:child_process';
import { once } from 'node:events';

import { expect, it } from 'vitest';

const module = new URL('npm-parent.ts', import.meta.url).href;
const program = `
  import { stopWithNpm } from '${module}';
  process.once('SIGTERM', () => { console.log('stopping'); process.exit(); });
  stopWithNpm();
  console.log('running');
  setInterval(() => {}, 1_000);`;

it('a process that npm started stops after npm exits', async () => {
  // The shell stands in for npm. Its second command keeps it from replacing itself with the script.
  const command = '"$NODE" --input-type=module --eval "$PROGRAM"; exit';
  const env = { ...process.env, NODE: process.execPath, PROGRAM: program };
  const npm = spawn('sh', ['-c', command], {
    env: { ...env, npm_lifecycle_event: 'portal' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  npm.stdout.on('data', (chunk: Buffer) => (output += String(chunk)));
  await expect.poll(() => output).toContain('running');
  npm.kill('SIGKILL');
  // The pipe closes when the script has exited.
  await once(npm.stdout, 'close');
  expect(output).toContain('stopping');
});
