import fs from 'node:fs';
import path from 'node:path';

import { expect, it } from 'vitest';

import { describeLayers, layers, readFolders, sortFolders } from './folders.mjs';
import { repository } from './prepare.mjs';

const roots = fs
  .readdirSync(path.join(repository, 'packages'))
  .map((name) => `packages/${name}/src`)
  .filter((root) => fs.existsSync(path.join(repository, root)));

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

/** Tables that decide who may open a report and who holds a role. */
const links = /\b(?:report_users|report_groups|rls_role_users|rls_role_groups)\b/;

/** They only count links. */
const counting = [
  'catalogue/archived-store.ts',
  'catalogue/managed-reports-store.ts',
  'groups/store.ts',
];
/** The overview asks whether there are any; the others name the tables for types. */
const checking = ['organizations/overview.ts', 'db/schema.ts', 'db/query/links.ts'];
/** A backup copies all rows of every table. */
const copying = ['backup/tables.ts'];

const readSources = () => {
  const sources = path.join(repository, 'packages/portal/src');
  return fs
    .readdirSync(sources, { recursive: true })
    .map(String)
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => ({ file, text: fs.readFileSync(path.join(sources, file), 'utf8') }));
};

it('only readings call a platform', () => {
  const callers = readSources().filter(({ text }) => /\bplatform\.open\(/.test(text));
  expect(callers.map(({ file }) => file)).toEqual([
    // Both measure the calls of readings.
    'platforms/report-metrics.ts',
    'platforms/report-times.ts',
    'readings/open-in-time.ts',
  ]);
});

it('only access reads and writes the links of users and groups with reports and roles', () => {
  const outside = readSources().filter(
    ({ file, text }) => !file.startsWith('access/') && links.test(text),
  );
  expect(outside.map(({ file }) => file).toSorted()).toEqual(
    [...counting, ...checking, ...copying].toSorted(),
  );
  for (const { text } of outside.filter(({ file }) => counting.includes(file))) {
    const statements = text.split(/\bSELECT\b/).filter((part) => links.test(part));
    for (const statement of statements) expect(statement).toMatch(/^ (?:count\(\*\)|user_id FROM)/);
  }
});

it('the architecture page shows the layers in the order of their imports', () => {
  const page = fs.readFileSync(path.join(repository, 'packages/docs/architecture.md'), 'utf8');
  expect(page).toContain(describeLayers());
});

it('the architecture page says of each folder what it owns, from the lowest to the highest', () => {
  const page = fs.readFileSync(path.join(repository, 'packages/docs/architecture.md'), 'utf8');
  const section = page.slice(page.indexOf('## Folders of the portal'));
  const table = section.slice(0, section.indexOf('\n## '));
  const owners = [...table.matchAll(/^\| `([^`]+)` +\| \S/gm)].map(([, folder]) => folder);
  expect(owners.toReversed()).toEqual(describeLayers().split(/\s+/).filter(Boolean));
});
