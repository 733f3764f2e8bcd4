import fs from 'node:fs';
import path from 'node:path';

import { expect, it } from 'vitest';

import { listImports } from './folders.mjs';
import { publicPackages, repository } from './prepare.mjs';

const readManifest = (folder) =>
  JSON.parse(fs.readFileSync(path.join(repository, folder, 'package.json'), 'utf8'));

const declaration =
  /^export (?:declare )?(?:async )?(const|function|class|interface|type) (\w+)|^export (type )?\{([^}]*)\}|^export \* from '(.*)'/gm;

/** Returns the exports of a module. Types begin with the word `type`. */
function readExports(file) {
  const text = fs.readFileSync(file, 'utf8');
  return [...text.matchAll(declaration)].flatMap(([, kind, name, isType, list, from]) => {
    if (from) return readExports(path.join(path.dirname(file), from));
    if (name) return [/interface|type/.test(kind) ? `type ${name}` : name];
    return list
      .split(',')
      .map((each) => each.trim().replace(/\w+ as /, ''))
      .filter(Boolean)
      .map((each) => (isType ? `type ${each}` : each));
  });
}

const entries = publicPackages().flatMap(({ name, folder }) => {
  const { exports } = readManifest(folder);
  return Object.entries(exports)
    .filter(([, { source }]) => source)
    .map(([entry, { source }]) => [path.posix.join(name, entry), path.join(folder, source)]);
});

// After an intended change: npm run vitest -- run packages/tooling/packages.test.mjs -u
it.each(entries)('%s exports exactly the names of its list', async (entry, source) => {
  const names = readExports(path.join(repository, source)).toSorted();
  const file = `exports/${entry.replace('@portal-embed/', '').replace('/', '-')}.txt`;
  await expect(`${names.join('\n')}\n`).toMatchFileSnapshot(file);
});

const published = new Set(publicPackages().map(({ name }) => name));

it.each(publicPackages())('$name depends on no private package', ({ folder }) => {
  const { dependencies = {} } = readManifest(folder);
  const own = Object.keys(dependencies).filter((name) => dependencies[name] === 'workspace:*');
  expect(own.filter((name) => !published.has(name))).toEqual([]);
});

/** Private packages that the portal's tarball contains as compiled files. */
const contained = ['platform', 'platform-powerbi', 'report-engine', 'server-kit'];

it.each(contained)('the portal depends on what %s needs, in the same version', (name) => {
  const needed = Object.entries(readManifest(`packages/${name}`).dependencies).filter(
    ([dependency]) => !contained.includes(dependency),
  );
  expect(readManifest('packages/portal').dependencies).toMatchObject(Object.fromEntries(needed));
});

const workspaces = ['packages', 'examples'].flatMap((group) =>
  fs.readdirSync(path.join(repository, group)).map((name) => `${group}/${name}`),
);
/** They need another version of React or TypeScript, and `npm start` does not build them. */
const differing = new Set(['packages/react-18', 'examples/vue']);

// `npm start` builds a package with the root's dependencies, all else with its own.
it.each(workspaces.filter((folder) => !differing.has(folder)))(
  '%s has what it shares with the dependencies of the root in the same version',
  (folder) => {
    const root = readManifest('.').dependencies;
    const { dependencies, devDependencies } = readManifest(folder);
    const shared = Object.entries({ ...dependencies, ...devDependencies }).filter(
      ([name]) => root[name],
    );
    expect(root).toMatchObject(Object.fromEntries(shared));
  },
);

const packagesWithSources = workspaces.filter((folder) =>
  fs.existsSync(path.join(repository, folder, 'src')),
);

// Node would also find what only the root depends on.
it.each(packagesWithSources)('the sources of %s import only what it depends on', (folder) => {
  const { name, dependencies, devDependencies, peerDependencies } = readManifest(folder);
  const known = new Set([
    name,
    ...Object.keys({ ...dependencies, ...devDependencies, ...peerDependencies }),
  ]);
  const sources = path.join(repository, folder, 'src');
  const imported = fs
    .readdirSync(sources, { recursive: true })
    .filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.d.ts'))
    .flatMap((file) => listImports(path.join(sources, file)))
    .filter(({ specifier }) => !/^(?:[./#]|node:|virtual:)/.test(specifier))
    .map(({ specifier }) => /^(?:@[^/]+\/)?[^/]+/.exec(specifier)[0]);
  expect([...new Set(imported)].filter((each) => !known.has(each))).toEqual([]);
});

const built = workspaces
  .filter((folder) => folder !== 'packages/tooling')
  .filter((folder) => fs.existsSync(path.join(repository, folder, 'tsconfig.build.json')));

it.each(built)('%s has the script that `pnpm -r build` runs', (folder) => {
  const { scripts } = readManifest(folder);
  expect(scripts?.build).toMatch(/^tsc -b tsconfig\.build\.json/);
});

// An install on one system can drop the packages of the others from the lockfile.
it.each(['darwin-arm64', 'darwin-x64', 'linux-arm64', 'linux-x64', 'win32-x64'])(
  'the lockfile has the report engine for %s',
  (system) => {
    const lockfile = fs.readFileSync(path.join(repository, 'pnpm-lock.yaml'), 'utf8');
    expect(lockfile).toContain(`'@duckdb/node-bindings-${system}@`);
  },
);
