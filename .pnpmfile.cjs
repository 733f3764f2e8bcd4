/**
 * Of @scalar/api-reference the pages' build takes one ready-made file, which has everything in it:
 * its 300 packages are left out.
 */
module.exports = {
  hooks: {
    readPackage(manifest) {
      if (manifest.name === '@scalar/api-reference') manifest.dependencies = {};
      return manifest;
    },
  },
};
