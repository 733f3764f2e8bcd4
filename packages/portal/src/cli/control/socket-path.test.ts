import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { expect, it, onTestFinished } from 'vitest';

import { controlSocketPath } from './socket-path.ts';

it('the folder of the socket must not be a symbolic link', () => {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'control-'));
  onTestFinished(() => fs.rmSync(dataDir, { recursive: true }));
  const target = path.join(dataDir, 'target');
  fs.mkdirSync(target, { mode: 0o700 });
  fs.symlinkSync(target, path.join(dataDir, 'control'));
  expect(() => controlSocketPath(dataDir)).toThrow('Other users can access the folder');
});
