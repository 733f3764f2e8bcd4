import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { buildFirst } from 'test-support/build';
import { beforeAll, expect, it } from 'vitest';

const run = promisify(execFile);
const findTool = () =>
  join(dirname(createRequire(import.meta.url).resolve('size-limit/package.json')), 'bin.js');

let sizes: { name: string; size: number; passed: boolean }[];

buildFirst();
beforeAll(async () => {
  const cwd = fileURLToPath(new URL('../..', import.meta.url));
  // The tool fails if a limit is exceeded, and prints the sizes all the same.
  const { stdout } = await run(process.execPath, [findTool(), '--json'], { cwd }).catch(
    (error: { stdout: string }) => error,
  );
  sizes = JSON.parse(stdout) as typeof sizes;
}, 240_000);

it.each([
  ['PortalEmbed without React', '6,950', 'PortalEmbed'],
  ['the script of the custom element', '8,300', 'element.global.js'],
])('%s has at most %s bytes gzip', (_title, _limit, name) => {
  const check = sizes.find((each) => each.name === name);
  expect(check).toMatchObject({ passed: true });
  expect(check!.size).toBeGreaterThan(3_000);
});
