import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import * as tar from 'tar';
import { parse } from 'yaml';

import { renderChangelog } from './changelog.mjs';
import { createNpmLockfile } from './npm-lockfile.mjs';
import { packPackages, readManifest, repository, run } from './prepare.mjs';
import { completeSbom } from './sbom.mjs';

const git = (...args) => execFileSync('git', args, { cwd: repository, encoding: 'utf8' }).trim();

/** Writes the files of a release to a folder, which is emptied first, from what is built. */
export async function writeRelease(release) {
  const commit = git('rev-parse', 'HEAD');
  const committedAt = new Date(Number(git('log', '-1', '--format=%ct')) * 1_000);
  fs.rmSync(release, { recursive: true, force: true });
  const packed = await packPackages(release);
  const portal = packed.find(({ name }) => name === '@portal-embed/portal');
  const title = `portal-embed-portal-${portal.version}`;
  const staging = fs.mkdtempSync(path.join(os.tmpdir(), 'portal-release-'));
  try {
    await writePortal(path.join(staging, title), { release, title, portal, packed, committedAt });
    await tar.create(
      {
        cwd: staging,
        file: path.join(release, `${title}.tar.gz`),
        gzip: { level: 9 },
        portable: true,
        mtime: committedAt,
        noDirRecurse: true,
      },
      listFiles(staging),
    );
  } finally {
    fs.rmSync(staging, { recursive: true });
  }
  writeChangelog(release, { commit, portal, packed });
  writeChecksums(release);
}

/** Writes the folder of the portal, which `npm ci` installs, and its SBOM. Moves its tarball there. */
async function writePortal(folder, { release, title, portal, packed, committedAt }) {
  const { dependencies, license, engines } = readManifest(portal.folder);
  const needed = packed.filter(({ name }) => name === portal.name || dependencies[name]);
  const manifest = {
    name: 'portal-embed-portal',
    version: portal.version,
    private: true,
    description: 'The portal with the exact versions of its dependencies, installed by `npm ci`.',
    license,
    dependencies: Object.fromEntries(
      needed.map(({ name, file }) => [name, `file:packages/${file}`]),
    ),
    engines,
  };
  fs.mkdirSync(path.join(folder, 'packages'), { recursive: true });
  for (const { file } of needed)
    fs.copyFileSync(path.join(release, file), path.join(folder, 'packages', file));
  fs.rmSync(path.join(release, portal.file));
  fs.copyFileSync(path.join(repository, 'LICENSE'), path.join(folder, 'LICENSE'));
  writeJson(path.join(folder, 'package.json'), manifest);
  const pnpmLockfile = parse(fs.readFileSync(path.join(repository, 'pnpm-lock.yaml'), 'utf8'));
  const tarballs = needed.map((each) =>
    describeTarball(each, packed, path.join(folder, 'packages')),
  );
  const lockfile = createNpmLockfile(manifest, tarballs, pnpmLockfile);
  writeJson(path.join(folder, 'package-lock.json'), lockfile);

  const args = [
    'sbom',
    '--package-lock-only',
    '--sbom-format=cyclonedx',
    '--sbom-type=application',
  ];
  const bom = JSON.parse(await run('npm', args, folder));
  const completed = completeSbom(bom, {
    title: manifest.name,
    time: committedAt.toISOString(),
    bundled: listBundled(portal),
  });
  writeJson(path.join(release, `${title}.cdx.json`), completed);
}

function describeTarball({ name, version, folder, file }, packed, tarballs) {
  const { bin, license, dependencies, engines } = readManifest(folder);
  const versionOf = (dependency) => packed.find((each) => each.name === dependency)?.version;
  const content = fs.readFileSync(path.join(tarballs, file));
  return {
    name,
    folder,
    entry: {
      version,
      resolved: `file:packages/${file}`,
      integrity: `sha512-${createHash('sha512').update(content).digest('base64')}`,
      license,
      dependencies: Object.fromEntries(
        Object.entries(dependencies).map(([each, range]) => [each, versionOf(each) ?? range]),
      ),
      bin,
      engines,
    },
  };
}

/** The packages whose code the built pages contain. */
function listBundled(portal) {
  const dist = path.join(repository, portal.folder, 'dist');
  const lists = listFiles(dist).filter((name) => name.endsWith('.licenses.json'));
  const apiReference = '@scalar/api-reference';
  return [
    ...lists.flatMap((name) => JSON.parse(fs.readFileSync(path.join(dist, name), 'utf8'))),
    // The build copies its script.
    { name: apiReference, version: readManifest(portal.folder).devDependencies[apiReference] },
  ];
}

function writeChangelog(release, { commit, portal, packed }) {
  const migrations = path.join(repository, portal.folder, 'migrations');
  const oldestReleases = listFiles(migrations).flatMap((name) => {
    const text = fs.readFileSync(path.join(migrations, name), 'utf8');
    return /^-- Oldest release: (\S+)$/m.exec(text)?.[1] ?? [];
  });
  const { compare } = new Intl.Collator('en', { numeric: true });
  const oldestRelease = oldestReleases.toSorted(compare).at(-1);
  const others = packed.filter((each) => each !== portal);
  const changelogs = [portal, ...others]
    .map(({ folder }) => path.join(repository, folder, 'CHANGELOG.md'))
    .filter((file) => fs.existsSync(file))
    .map((file) => fs.readFileSync(file, 'utf8'));
  const changesets = listFiles(path.join(repository, '.changeset'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => fs.readFileSync(path.join(repository, '.changeset', name), 'utf8'));
  if (changesets.length > 0)
    console.error(
      `${changesets.length} changesets have no version yet. Before you publish a release, run npx changeset version and commit its changes.`,
    );
  const { version } = portal;
  const text = renderChangelog({ version, commit, oldestRelease }, changelogs, changesets);
  fs.writeFileSync(path.join(release, 'CHANGELOG.md'), text);
}

/** In the format of `sha256sum`. */
function writeChecksums(release) {
  const lines = listFiles(release).map((name) => {
    const content = fs.readFileSync(path.join(release, name));
    return `${createHash('sha256').update(content).digest('hex')}  ${name}\n`;
  });
  fs.writeFileSync(path.join(release, 'SHA256SUMS'), lines.join(''));
}

/** The paths of all files below a folder, relative to it, in an order that is the same everywhere. */
export function listFiles(folder) {
  return fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .toSorted();
}

function writeJson(file, value) {
  fs.writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);
}
