/**
 * Completes the SBOM (CycloneDX) that `npm sbom` writes for the dependencies of the portal.
 *
 * @param bom parsed output of `npm sbom`
 * @param title name of the package, for which npm takes the name of its folder
 * @param time ISO time of the commit. With the time of the run and a random serial number, no two runs
 *   would give the same bytes
 * @param bundled packages that the built files of the portal contain: `name`, `version` and, if known,
 *   the license `identifier`
 */
export function completeSbom(bom, { title, time, bundled }) {
  const { serialNumber: _, ...rest } = bom;
  const known = new Set(bom.components.map(({ purl }) => purl));
  const added = new Map(
    bundled
      .map((each) => ({
        ...each,
        purl: `pkg:npm/${each.name.replace('@', '%40')}@${each.version}`,
      }))
      .filter(({ purl }) => !known.has(purl))
      .toSorted((a, b) => (a.purl < b.purl ? -1 : 1))
      .map((each) => [each.purl, each]),
  );
  const components = [...added.values()].map(({ name, version, identifier, purl }) => ({
    'bom-ref': `${name}@${version}`,
    type: 'library',
    name,
    version,
    scope: 'required',
    purl,
    licenses: identifier ? [{ expression: identifier }] : undefined,
  }));
  const refs = components.map((each) => each['bom-ref']);
  const { 'bom-ref': portal } = bom.components.find(({ name }) => name === '@portal-embed/portal');
  return {
    ...rest,
    metadata: {
      ...bom.metadata,
      timestamp: time,
      component: { ...bom.metadata.component, name: title },
    },
    // npm's references are the paths of tarballs on this machine.
    components: [
      ...bom.components.map(({ externalReferences: _references, ...each }) => each),
      ...components,
    ],
    dependencies: [
      ...bom.dependencies.map((each) =>
        each.ref === portal ? { ...each, dependsOn: [...each.dependsOn, ...refs] } : each,
      ),
      ...refs.map((ref) => ({ ref, dependsOn: [] })),
    ],
  };
}
