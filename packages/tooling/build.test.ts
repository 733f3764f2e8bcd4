import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { build } from 'test-support/build';
import { afterEach, expect, it, vi } from 'vitest';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'build-'));
const program = path.join(folder, 'build.mjs');
afterEach(() => {
  vi.restoreAllMocks();
  fs.rmSync(folder, { recursive: true, force: true });
});

it('a build that takes long says that it is building, and ends after its time limit', async () => {
  const say = vi.spyOn(console, 'info').mockImplementation(() => {});
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(program, 'setInterval(() => {}, 1_000)');
  await expect(build(program, { timeout: 500, notice: 1 })).rejects.toThrow(
    'The build was ended after 0.5 s. Run npm run build, then the tests again.',
  );
  expect(say.mock.calls).toEqual([['Building outdated packages …']]);
});

it('a build without anything to do says nothing, and a failed one fails with its output', async () => {
  const say = vi.spyOn(console, 'info').mockImplementation(() => {});
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(program, '');
  await build(program);
  fs.writeFileSync(program, 'throw new Error("no such package")');
  await expect(build(program)).rejects.toThrow('no such package');
  expect(say).not.toHaveBeenCalled();
});

it.runIf(process.getuid?.() === 0)(
  'a build in the clone of another user says who can run it, and builds nothing',
  () => {
    const tooling = path.join(folder, 'packages/tooling');
    fs.mkdirSync(tooling, { recursive: true });
    fs.mkdirSync(path.join(folder, 'node_modules'));
    fs.chmodSync(folder, 0o755);
    fs.writeFileSync(path.join(folder, 'package.json'), '{}');
    fs.copyFileSync(new URL('prepare.mjs', import.meta.url), path.join(tooling, 'prepare.mjs'));
    fs.writeFileSync(
      path.join(tooling, 'build.mjs'),
      "import { build } from './prepare.mjs';\nawait build();",
    );
    const nobody = { uid: 65_534, gid: 65_534 };
    const { status, stderr } = spawnSync(process.execPath, [path.join(tooling, 'build.mjs')], {
      ...nobody,
      cwd: folder,
      encoding: 'utf8',
    });
    expect(stderr).toBe(
      `This user may not write to ${folder}/, so nothing can be built there. Run the command as the owner of the folder, with sudo -u.\n`,
    );
    expect(status).toBe(1);
  },
);
