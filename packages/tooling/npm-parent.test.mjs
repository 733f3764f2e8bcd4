import { spawn } from 'node:child_process';
import { once } from 'node:events';

import { expect, it } from 'vitest';

const module = new URL('npm-parent.mjs', import.meta.url).href;
const program = `
  import { stopWithNpm } from '${module}';
  process.once('SIGTERM', () => { console.log('stopping'); process.exit(); });
  stopWithNpm();
  console.log('running');
  setInterval(() => {}, 1_000);`;

it('a script of npm stops as told to when npm is gone, which told it nothing', async () => {
  // A shell in between, as npm has one; what follows keeps it from becoming the script itself.
  const command = '"$NODE" --input-type=module --eval "$PROGRAM"; exit';
  const env = { ...process.env, NODE: process.execPath, PROGRAM: program };
  const npm = spawn('sh', ['-c', command], {
    env: { ...env, npm_lifecycle_event: 'portal' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  npm.stdout.on('data', (chunk) => (output += chunk));
  await expect.poll(() => output).toContain('running');
  npm.kill('SIGKILL');
  // The pipe closes when the script, its last owner, has ended.
  await once(npm.stdout, 'close');
  expect(output).toContain('stopping');
});
