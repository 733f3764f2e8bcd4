import fs from 'node:fs';

import { expect, it } from 'vitest';

const guides = new URL('guides/', import.meta.url);
const installations = fs
  .readdirSync(guides)
  .flatMap((guide) =>
    [...fs.readFileSync(new URL(guide, guides), 'utf8').matchAll(/portal-embed-\{(.+?)\}-\*/g)].map(
      ([, names]) => [guide, names],
    ),
  );

const readManifest = (name) =>
  JSON.parse(fs.readFileSync(new URL(`../${name}/package.json`, import.meta.url), 'utf8'));

/** The packages of this repository that a package needs. */
const listNeeded = (name) =>
  Object.keys(readManifest(name).dependencies)
    .filter((each) => each.startsWith('@portal-embed/'))
    .map((each) => each.replace('@portal-embed/', ''));

// Without the tarball of a package, npm would look for it in the registry.
it.each(installations)('%s installs what {%s} needs', (_, names) => {
  const installed = names.split(',');
  expect(installed).toEqual(expect.arrayContaining(installed.flatMap(listNeeded)));
});

it('the guides install the files of a release', () => {
  expect(installations.length).toBeGreaterThan(8);
});
