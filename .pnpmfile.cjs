/**
 * Leaves out what a package could use and nothing here does:
 * - Of @scalar/api-reference the pages' build takes one ready-made file, which has everything in it,
 *   without its 300 packages.
 * - Vite uses esbuild and tsx only with options that no configuration sets. The tests install both, so
 *   `npm start` would, too.
 *
 * A packed manifest has no scripts and development dependencies, which work only in this repository.
 * That of create-app keeps our packages, because it writes their versions to applications.
 * `npm run release` sets the commit, which the portal reads as `gitHead`.
 */
module.exports = {
  hooks: {
    readPackage(manifest) {
      if (manifest.name === '@scalar/api-reference') manifest.dependencies = {};
      if (manifest.name === 'vite') {
        for (const name of ['esbuild', 'tsx']) {
          delete manifest.peerDependencies[name];
          delete manifest.peerDependenciesMeta[name];
        }
      }
      return manifest;
    },
    beforePacking(manifest) {
      if (manifest.name === '@portal-embed/create-app')
        manifest.devDependencies = Object.fromEntries(
          Object.entries(manifest.devDependencies)
            .filter(([name]) => name.startsWith('@portal-embed/'))
            .toSorted(([a], [b]) => (a < b ? -1 : 1)),
        );
      else delete manifest.devDependencies;
      delete manifest.scripts;
      // pnpm lists them in the order in which it has read their versions, which differs between runs.
      for (const group of ['dependencies', 'peerDependencies'])
        if (manifest[group])
          manifest[group] = Object.fromEntries(
            Object.entries(manifest[group]).toSorted(([a], [b]) => (a < b ? -1 : 1)),
          );
      if (process.env.RELEASE_COMMIT) manifest.gitHead = process.env.RELEASE_COMMIT;
      return manifest;
    },
  },
};
