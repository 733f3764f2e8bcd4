import path from 'node:path';

/** The part of a version before the peers with which pnpm has resolved it. */
const withoutPeers = (version) => version.replace(/\(.*/, '');

const mapValues = (object, map) =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value)]));

/** The folders in which Node looks for a package's dependencies, from the nearest to the root (`''`). */
const listLookUps = (folder) =>
  folder === ''
    ? ['']
    : [folder, ...listLookUps(folder.replace(/(?:^|\/)node_modules\/(?:@[^/]+\/)?[^/]+$/, ''))];

/**
 * Returns npm's lockfile (version 3) of a package, with the versions and hashes of pnpm's lockfile. It
 * names no registry.
 *
 * @param manifest the package, which depends on tarballs only
 * @param tarballs the packages of this repository: `folder`, `name` and `entry`, the fields of the
 *   lockfile
 * @param pnpmLockfile the parsed `pnpm-lock.yaml`
 * @throws if a dependency has no entry in pnpm's lockfile
 */
export function createNpmLockfile(manifest, tarballs, { importers, packages, snapshots }) {
  function describe(name, version) {
    const tarball = tarballs.find((each) => each.name === name);
    if (tarball)
      return {
        entry: tarball.entry,
        required: mapValues(importers[tarball.folder].dependencies ?? {}, (each) => each.version),
        optional: {},
      };
    const snapshot = snapshots[`${name}@${version}`];
    const found = packages[`${name}@${withoutPeers(version)}`];
    if (!snapshot || !found) throw new Error(`pnpm-lock.yaml has no ${name}@${version}.`);
    const { resolution, engines, os, cpu, libc } = found;
    const { dependencies, optionalDependencies } = snapshot;
    const entry = {
      version: withoutPeers(version),
      integrity: resolution.integrity,
      engines,
      os,
      cpu,
      libc,
      dependencies: dependencies && mapValues(dependencies, withoutPeers),
      optionalDependencies: optionalDependencies && mapValues(optionalDependencies, withoutPeers),
    };
    return { entry, required: dependencies ?? {}, optional: optionalDependencies ?? {} };
  }

  const { name, version, license, dependencies, engines } = manifest;
  const entries = new Map();
  const placeAll = (waiting, isOptional) => {
    const optional = [];
    // As npm does: at the root or, if another version is there, in the folder of the dependent.
    for (const { folder, dependency, wanted } of waiting) {
      const described = describe(dependency, wanted);
      const visible = listLookUps(folder)
        .map((each) => path.posix.join(each, 'node_modules', dependency))
        .find((each) => entries.has(each));
      if (visible && entries.get(visible).version === described.entry.version) continue;
      const target = path.posix.join(visible ? folder : '', 'node_modules', dependency);
      entries.set(target, { ...described.entry, optional: isOptional || undefined });
      const listWanted = (group) =>
        Object.entries(group).map((each) => ({
          folder: target,
          dependency: each[0],
          wanted: each[1],
        }));
      waiting.push(...listWanted(described.required));
      optional.push(...listWanted(described.optional));
    }
    // What a required package also needs is not optional, so these come last.
    if (optional.length > 0) placeAll(optional, true);
  };
  placeAll(
    tarballs.map((each) => ({ folder: '', dependency: each.name, wanted: each.entry.version })),
    false,
  );
  const sorted = [...entries].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return {
    name,
    version,
    lockfileVersion: 3,
    requires: true,
    packages: {
      '': { name, version, license, dependencies, engines },
      ...Object.fromEntries(sorted),
    },
  };
}
