import { describe, expect, it } from 'vitest';

import { createNpmLockfile } from './npm-lockfile.mjs';

const portal = {
  name: 'portal',
  folder: 'packages/portal',
  entry: { version: '1.0.0', resolved: 'file:packages/portal.tgz', integrity: 'sha512-portal' },
};
const manifest = {
  name: 'release',
  version: '1.0.0',
  dependencies: { portal: 'file:packages/portal.tgz' },
};

/** Returns the packages of npm's lockfile for dependencies of the portal and of its dependencies. */
function place(dependencies, snapshots) {
  const versions = Object.entries(dependencies).map(([name, version]) => [name, { version }]);
  const packages = Object.fromEntries(
    Object.keys(snapshots).map((key) => [
      key.replace(/\(.*/, ''),
      { resolution: { integrity: `sha512-${key}` } },
    ]),
  );
  const lockfile = createNpmLockfile(manifest, [portal], {
    importers: { 'packages/portal': { dependencies: Object.fromEntries(versions) } },
    packages,
    snapshots,
  });
  return lockfile.packages;
}

const listVersions = (packages) =>
  Object.fromEntries(
    Object.entries(packages)
      .filter(([folder]) => folder !== '' && folder !== 'node_modules/portal')
      .map(([folder, { version }]) => [folder.replaceAll('node_modules/', ''), version]),
  );

describe('the npm lockfile of a release', () => {
  it('has the package, its tarball, and each dependency with the hash of pnpm-lock.yaml', () => {
    const { dependencies } = manifest;
    expect(place({ express: '5.0.0' }, { 'express@5.0.0': {} })).toMatchObject({
      '': { name: 'release', version: '1.0.0', dependencies },
      'node_modules/portal': portal.entry,
      'node_modules/express': { version: '5.0.0', integrity: 'sha512-express@5.0.0' },
    });
  });

  it('puts a second version of a package into the folder of its dependent', () => {
    const packages = place(
      { '@a/compression': '1.0.0', debug: '4.0.0' },
      {
        '@a/compression@1.0.0': { dependencies: { debug: '2.0.0' } },
        'debug@2.0.0': { dependencies: { ms: '2.0.0' } },
        'debug@4.0.0': { dependencies: { ms: '2.1.0' } },
        'ms@2.0.0': {},
        'ms@2.1.0': {},
      },
    );
    expect(listVersions(packages)).toEqual({
      '@a/compression': '1.0.0',
      '@a/compression/debug': '2.0.0',
      '@a/compression/debug/ms': '2.0.0',
      debug: '4.0.0',
      ms: '2.1.0',
    });
  });

  it('has a package once if the version at the root fits all dependents', () => {
    const packages = place(
      { a: '1.0.0', b: '1.0.0' },
      {
        'a@1.0.0': { dependencies: { c: '1.0.0' } },
        'b@1.0.0': { dependencies: { c: '1.0.0' } },
        'c@1.0.0': { dependencies: { a: '1.0.0' } },
      },
    );
    expect(listVersions(packages)).toEqual({ a: '1.0.0', b: '1.0.0', c: '1.0.0' });
  });

  it('marks what only optional dependencies need as optional', () => {
    const packages = place(
      { duckdb: '1.0.0' },
      {
        'duckdb@1.0.0': {
          dependencies: { needed: '1.0.0' },
          optionalDependencies: { binding: '1.0.0' },
        },
        'binding@1.0.0': { dependencies: { needed: '1.0.0', loader: '1.0.0' } },
        'needed@1.0.0': {},
        'loader@1.0.0': {},
      },
    );
    const optional = Object.keys(packages).filter((folder) => packages[folder].optional);
    expect(optional).toEqual(['node_modules/binding', 'node_modules/loader']);
  });

  it('has versions without the peers that pnpm adds', () => {
    const packages = place(
      { pool: '3.0.0(pg@8.0.0)' },
      {
        'pool@3.0.0(pg@8.0.0)': { dependencies: { pg: '8.0.0' } },
        'pg@8.0.0': {},
      },
    );
    expect(listVersions(packages)).toEqual({ pg: '8.0.0', pool: '3.0.0' });
  });

  it('is refused if pnpm-lock.yaml lacks a dependency', () => {
    expect(() => place({ express: '5.0.0' }, {})).toThrow('pnpm-lock.yaml has no express@5.0.0.');
  });
});
