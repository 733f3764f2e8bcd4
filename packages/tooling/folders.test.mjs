import fs from 'node:fs';
import path from 'node:path';

import { expect, it } from 'vitest';

import { describeLayers, layers, readFolders, sortFolders } from './folders.mjs';
import { repository } from './prepare.mjs';

const packages = fs
  .readdirSync(path.join(repository, 'packages'))
  .map((name) => `packages/${name}/src`)
  .filter((root) => fs.existsSync(path.join(repository, root)));
const roots = [...packages, 'packages/portal/src/platforms/builtin'];

it.each(roots)('the folders of %s do not import each other in a cycle', (root) => {
  expect(sortFolders(readFolders(root)).cycle).toEqual([]);
});

it('every folder of the portal has a layer', () => {
  const { folders } = readFolders('packages/portal/src');
  expect(new Set(layers.flat())).toEqual(new Set(folders));
});

it('no folder of the portal imports a value or a type from a higher layer', () => {
  const layerOf = (folder) => layers.findIndex((layer) => layer.includes(folder));
  const { imports } = readFolders('packages/portal/src');
  const upward = imports.filter(({ from, to }) => layerOf(to) < layerOf(from));
  expect(upward.map(({ text }) => text)).toEqual([]);
});

it('the architecture page shows the layers in the order of their imports', () => {
  const page = fs.readFileSync(path.join(repository, 'packages/docs/architecture.md'), 'utf8');
  expect(page).toContain(describeLayers());
});
