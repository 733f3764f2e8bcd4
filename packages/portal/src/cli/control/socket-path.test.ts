import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { expect, it, onTestFinished } from 'vitest';

import { controlSocketPath } from './socket-path.ts';

it('a socket path of more than 100 bytes is replaced by one in the temporary folder', () => {
  const root = fs.mkdtempSync(path.join(os.tmpdir(), 'control-'));
  onTestFinished(() => fs.rmSync(root, { recursive: true }));
  const rest = '/control/socket'.length;
  const near = path.join(root, 'x'.repeat(100 - rest - root.length - 1));
  expect(controlSocketPath(near)).toBe(path.join(near, 'control/socket'));
  const far = controlSocketPath(`${near}x`);
  onTestFinished(() => fs.rmdirSync(path.dirname(far)));
  expect(path.dirname(path.dirname(far))).toBe(os.tmpdir());
  // The names of the folders of all users and data directories are equally short.
  expect(path.basename(path.dirname(far))).toMatch(/^portal-\d+-[0-9a-f]{16}$/);
  expect(controlSocketPath(`${near}y`)).not.toBe(far);
});

it('the folder of the socket must not be a symbolic link', () => {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'control-'));
  onTestFinished(() => fs.rmSync(dataDir, { recursive: true }));
  const target = path.join(dataDir, 'target');
  fs.mkdirSync(target, { mode: 0o700 });
  fs.symlinkSync(target, path.join(dataDir, 'control'));
  expect(() => controlSocketPath(dataDir)).toThrow('Other users can access the folder');
});
