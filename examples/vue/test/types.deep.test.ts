import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { expect, it } from 'vitest';

const folder = fileURLToPath(new URL('..', import.meta.url));

it('the templates pass the type checker', async () => {
  const checker = fileURLToPath(new URL('../node_modules/.bin/vue-tsc', import.meta.url));
  const { stdout } = await promisify(execFile)(checker, ['-p', 'web'], { cwd: folder });
  expect(stdout).toBe('');
}, 120_000);
