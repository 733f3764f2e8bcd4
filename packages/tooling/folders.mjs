/**
 * The folders directly below a root, such as a package's `src`, and how they import each other. A
 * file directly below the root counts as a folder. `node packages/tooling/folders.mjs` prints the
 * order of the portal's folders, which the architecture page shows.
 */
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { parseAst } from 'vite';

import { repository } from './prepare.mjs';

/** The layers of `portal/src`, from the top down. */
export const layers = [
  [
    'main.ts',
    'index.ts',
    'cli',
    'service.ts',
    'app.ts',
    'start-warnings.ts',
    'config.ts',
    'settings.ts',
    'setting-schemas.ts',
    'engine-size.ts',
    'variables.ts',
  ],
  ['api', 'admin-api', 'viewer-api', 'pages'],
  ['http'],
  ['viewing'],
  ['readings'],
  [
    'access',
    'access-log',
    'activity-log',
    'api-keys',
    'catalogue',
    'companies',
    'connections',
    'content',
    'groups',
    'identity-urls',
    'organizations',
    'remote-platforms',
    'sign-in',
    'users',
    'viewer-sessions',
  ],
  ['platforms'],
  ['files', 'limits', 'jobs', 'backup'],
  ['actor'],
  ['db'],
  [
    'confidential.ts',
    'csv.ts',
    'data-dir.ts',
    'database-address.ts',
    'errors.ts',
    'folder-owner.ts',
    'logger.ts',
    'organization-variables.ts',
    'package-folder.ts',
    'references.ts',
    'secrets.ts',
    'version.ts',
  ],
];

/** Lists the import and export statements and the dynamic imports of a file. */
export function listImports(file) {
  const found = [];
  const lang = path.extname(file).slice(1);
  const visit = (node) => {
    if (Array.isArray(node)) node.forEach(visit);
    if (typeof node?.type !== 'string') return;
    const { type, source, importKind, exportKind, specifiers = [] } = node;
    if (typeof source?.value === 'string') {
      const kinds = specifiers.map((specifier) => specifier.importKind ?? specifier.exportKind);
      const isType =
        type === 'TSImportType' ||
        importKind === 'type' ||
        exportKind === 'type' ||
        (kinds.length > 0 && kinds.every((kind) => kind === 'type'));
      found.push({ specifier: source.value, isType });
    }
    Object.values(node).forEach(visit);
  };
  visit(parseAst(fs.readFileSync(file, 'utf8'), { lang }).body);
  return found;
}

/** Lists the imports between the folders of a root, tests excluded. */
export function readFolders(root) {
  const top = path.join(repository, root);
  const files = fs
    .readdirSync(top, { recursive: true })
    .map(String)
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.|\.d\.ts$/.test(file));
  const folderOf = (file) => file.split(path.sep)[0];
  const known = new Set(files);
  const imports = files.flatMap((file) =>
    listImports(path.join(top, file))
      .map(({ specifier, isType }) => ({
        isType,
        target: path.join(path.dirname(file), specifier.replace(/\?.*$/, '')),
      }))
      .filter(({ target }) => known.has(target) && folderOf(target) !== folderOf(file))
      .map(({ target, isType }) => ({
        from: folderOf(file),
        to: folderOf(target),
        isType,
        text: `${root}/${file} -> ${target}${isType ? ' (type)' : ''}`,
      })),
  );
  return { folders: [...new Set(files.map(folderOf))], imports };
}

/**
 * Sorts the folders so that each imports values only from later ones.
 *
 * @returns the order, and the imports among folders that have none because they form a cycle
 */
export function sortFolders({ folders, imports }) {
  const values = imports.filter(({ isType }) => !isType);
  let rest = folders.toSorted();
  const order = [];
  for (;;) {
    const isImported = new Set(
      values.filter(({ from }) => rest.includes(from)).map(({ to }) => to),
    );
    const free = rest.filter((folder) => !isImported.has(folder));
    if (free.length === 0) break;
    order.push(...free);
    rest = rest.filter((folder) => isImported.has(folder));
  }
  const cycle = values.filter(({ from, to }) => rest.includes(from) && rest.includes(to));
  return { order, cycle: cycle.map(({ text }) => text) };
}

/** The layers of the portal as text, the folders of each in the order of their imports. */
export function describeLayers() {
  const { order } = sortFolders(readFolders('packages/portal/src'));
  return layers
    .map((layer) => layer.toSorted((one, other) => order.indexOf(one) - order.indexOf(other)))
    .map((layer) => layer.join('  '))
    .join('\n');
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  process.stdout.write(`${describeLayers()}\n`);
