// @vitest-environment node
import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { expect, it } from 'vitest';

const run = promisify(execFile);

it('PortalEmbed has at most 5,000 bytes gzip, without React', async () => {
  const sizeLimit = join(
    dirname(createRequire(import.meta.url).resolve('size-limit/package.json')),
    'bin.js',
  );
  const { stdout } = await run(process.execPath, [sizeLimit, '--json'], {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
  });
  const [{ size, passed }] = JSON.parse(stdout) as [{ size: number; passed: boolean }];
  expect(size).toBeGreaterThan(3_000);
  expect(passed).toBe(true);
});
