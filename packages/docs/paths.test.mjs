import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { expect, it } from 'vitest';

const repository = fileURLToPath(new URL('../../', import.meta.url));
const files = execFileSync('git', ['ls-files', '*.md'], { cwd: repository, encoding: 'utf8' });
const documents = files.trim().split('\n');

/** Returns the folders that a document's paths are relative to. */
function foldersOf(document) {
  return [
    '.',
    path.dirname(document),
    ...(document === 'packages/docs/architecture.md' ? ['packages'] : []),
  ].map((folder) => path.join(repository, folder));
}

/** Returns back-quoted paths whose first folder exists. Others are not of this repository. */
function readPaths(document, folders) {
  const text = fs.readFileSync(path.join(repository, document), 'utf8');
  return [...text.replaceAll(/^```[^]*?^```/gm, '').matchAll(/`(\w[\w-]*)(\/[\w./-]*)`/g)]
    .filter(([, first]) => folders.some((folder) => fs.existsSync(path.join(folder, first))))
    .map(([, first, rest]) => first + rest);
}

it.each(documents)('each repository path that %s names exists', (document) => {
  const folders = foldersOf(document);
  const missing = readPaths(document, folders).filter(
    (each) => !folders.some((folder) => fs.existsSync(path.join(folder, each))),
  );
  expect(missing).toEqual([]);
});

it('the documents name repository paths', () => {
  const paths = documents.flatMap((document) => readPaths(document, foldersOf(document)));
  expect(paths.length).toBeGreaterThan(50);
});
