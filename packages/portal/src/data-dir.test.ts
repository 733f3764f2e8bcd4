import fs from 'node:fs';
import path from 'node:path';

import { createTemporaryFolder } from 'test-support';
import { expect, it, onTestFinished } from 'vitest';

import { prepareDataDir, requireFolder } from './data-dir.ts';

function createFolder(): string {
  const folder = createTemporaryFolder('portal-data-dir-');
  onTestFinished(() => fs.rmSync(folder, { recursive: true }));
  return folder;
}

it('a missing data directory is created with its parents, and others cannot open it', () => {
  const folder = path.join(createFolder(), 'a', 'b');
  requireFolder(folder);
  prepareDataDir(folder);
  expect(fs.statSync(folder).mode & 0o777).toBe(0o700);
  prepareDataDir(folder);
});

it.each(['file', 'file/below/it'])(
  'a file in the place of the data directory is refused: %s',
  (name) => {
    const folder = createFolder();
    fs.writeFileSync(path.join(folder, 'file'), '');
    for (const check of [requireFolder, prepareDataDir])
      expect(() => check(path.join(folder, name))).toThrow(
        `${path.join(folder, 'file')} is a file, but PORTAL_DATA_DIR (${path.join(folder, name)}) must be a folder.`,
      );
  },
);

it('a file system that creates no folders is refused, instead of tried forever', () => {
  expect(() => prepareDataDir('/proc/portal/data')).toThrow(
    'The folder /proc/portal/data cannot be created (ENOENT',
  );
});
