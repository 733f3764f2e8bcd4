import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { buildFirst } from 'test-support/build';
import { expect, it, onTestFinished } from 'vitest';

import { buildProgram } from '../support/processes.ts';

buildFirst();

it('a command loads no module of a bundled package', async () => {
  const program = await buildProgram();
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'portal-modules-'));
  onTestFinished(() => fs.rmSync(folder, { recursive: true }));
  // Node writes the coverage of each module that it has loaded.
  execFileSync(process.execPath, [program, '--help'], { env: { NODE_V8_COVERAGE: folder } });
  const [file] = fs.readdirSync(folder);
  const { result } = JSON.parse(fs.readFileSync(path.join(folder, file!), 'utf8')) as {
    result: { url: string }[];
  };
  const urls = result.map(({ url }) => url);
  expect(urls.some((url) => url.endsWith('/dist/programs/main.js'))).toBe(true);
  expect(urls.filter((url) => /\/(?:contract|kysely|report-model|zod)\//.test(url))).toEqual([]);
});
