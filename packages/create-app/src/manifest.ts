import fs from 'node:fs';
import path from 'node:path';

import type { Framework } from './frameworks.ts';
import { UsageError } from './usage-error.ts';

/** Packages that others depend on. A tarball names their versions, which no registry may have yet. */
const needed = ['contract', 'client', 'report-model'];

export interface Manifest {
  name: string;
  version: string;
  private: boolean;
  type: string;
  scripts: Record<string, string>;
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
  engines: Record<string, string>;
}

/** Creates the `package.json` of an application. Tarballs of `packs` are expected in `vendor`. */
export function createManifest(
  name: string,
  { dependencies, packages, scripts }: Framework,
  packs: string | undefined,
): Manifest {
  const sourceOf = packs === undefined ? readVersions() : findTarballs(packs);
  const sources = (names: string[]) =>
    Object.fromEntries(names.map((each) => [`@portal-embed/${each}`, sourceOf(each)]));
  const own = packs === undefined ? packages : [...needed, ...packages];
  return {
    name,
    version: '0.0.0',
    private: true,
    type: 'module',
    scripts: {
      portal: 'node portal/start.js',
      ...scripts,
      test: 'node --test',
      check: 'portal-embed-check ./portal/tenants.js --origin http://{host}:3000',
    },
    dependencies: { ...sources(own.toSorted()), ...dependencies },
    devDependencies: sources(['portal', 'testing']),
    engines: { node: '>=20.19' },
  };
}

/** Returns a function that finds the version of a package, which the release of this one has set. */
function readVersions(): (name: string) => string {
  const file = new URL('../package.json', import.meta.url);
  const { devDependencies } = JSON.parse(fs.readFileSync(file, 'utf8')) as Pick<
    Manifest,
    'devDependencies'
  >;
  return (name) => devDependencies[`@portal-embed/${name}`]!;
}

/** Returns a function that finds the tarball of a package. */
function findTarballs(packs: string): (name: string) => string {
  const folder = path.resolve(packs);
  if (!fs.existsSync(folder))
    throw new UsageError(
      `The folder ${folder} does not exist. Run npm run pack in a clone of Portal Embed, which writes its folder packs.`,
    );
  const files = fs.readdirSync(folder);
  return (name) => {
    const file = files.find((each) => new RegExp(`^portal-embed-${name}-\\d.*\\.tgz$`).test(each));
    if (!file)
      throw new UsageError(
        `${folder} has no portal-embed-${name}-*.tgz. Run npm run pack in a clone of Portal Embed.`,
      );
    return `file:vendor/${file}`;
  };
}
