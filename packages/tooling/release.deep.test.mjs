import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';

import { createTemporaryFolder, findFreePort } from 'test-support';
import { copyRepository } from 'test-support/copy-repository';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import { publicPackages, repository } from './prepare.mjs';

const guide = fs.readFileSync(path.join(repository, 'packages/docs/guides/install.md'), 'utf8');

const env = {
  PATH: process.env.PATH,
  HOME: process.env.HOME,
  npm_config_prefer_offline: 'true',
  npm_config_audit: 'false',
};

/** Runs a command and returns its exit code and the output of both streams. */
function run(cwd, command, args, more = {}) {
  const options = { cwd, encoding: 'utf8', env: { ...env, ...more } };
  const { status, stdout, stderr } = spawnSync(command, args, options);
  return { status, output: stdout + stderr };
}

const git = (cwd, ...args) =>
  execFileSync('git', ['-c', 'user.name=Ann', '-c', 'user.email=ann@acme.example', ...args], {
    cwd,
    encoding: 'utf8',
  });

/** Does what a maintainer does before a release: commits the sources with new versions. */
function commitNewVersions(clone) {
  git(clone, 'init', '--quiet');
  git(clone, 'add', '.');
  git(clone, 'commit', '--quiet', '--message=Change it');
  // Only for the next command, so that the release installs everything.
  const modules = path.join(clone, 'node_modules');
  fs.symlinkSync(path.join(repository, 'node_modules'), modules);
  execFileSync(path.join(modules, '.bin/changeset'), ['version'], { cwd: clone, stdio: 'ignore' });
  fs.rmSync(modules);
  git(clone, 'add', '.');
  git(clone, 'commit', '--quiet', '--message=Raise the versions');
}

/** Makes a release in a clone. Throws its output if it fails. */
function makeRelease(clone) {
  const { status, output } = run(clone, 'npm', ['run', 'release']);
  if (status !== 0) throw new Error(output);
  return path.join(clone, 'release');
}

let parent;
let clone;
let release;
let commit;
let portal;
let installed;

const readJson = (file) => JSON.parse(fs.readFileSync(file, 'utf8'));

/** A copy of a folder, which is removed after the test. */
function copy(folder) {
  const target = createTemporaryFolder('portal-release-copy-');
  onTestFinished(() => fs.rmSync(target, { recursive: true }));
  fs.cpSync(folder, target, { recursive: true });
  return target;
}

/** The folder of the portal before `npm ci`. */
function unpack() {
  const folder = createTemporaryFolder('portal-release-unpacked-');
  onTestFinished(() => fs.rmSync(folder, { recursive: true }));
  execFileSync('tar', ['-xzf', path.join(release, `${portal.title}.tar.gz`)], { cwd: folder });
  return path.join(folder, portal.title);
}

/** Changes the last byte of a file. */
function damage(file) {
  const content = fs.readFileSync(file);
  content[content.length - 1] ^= 1;
  fs.writeFileSync(file, content);
}

beforeAll(() => {
  parent = createTemporaryFolder('portal-release-');
  clone = copyRepository({ isEmpty: true });
  commitNewVersions(clone);
  release = makeRelease(clone);
  commit = git(clone, 'rev-parse', 'HEAD').trim();
  const { version } = readJson(path.join(clone, 'packages/portal/package.json'));
  portal = { version, title: `portal-embed-portal-${version}` };
  installed = path.join(parent, 'files', portal.title);
}, 600_000);
afterAll(() => {
  for (const folder of [parent, clone]) fs.rmSync(folder, { recursive: true, force: true });
});

describe('a release', () => {
  it('is installed and started by the commands of the guide', async () => {
    const port = await findFreePort();
    const blocks = [...guide.matchAll(/^```\w+\n([^]*?)^```$/gm)].map(([, code]) => code);
    expect(blocks).toHaveLength(5);
    const livez = `http://127.0.0.1:${port}/livez`;
    // The guide starts the portal in one terminal and uses it in another.
    const script = blocks
      .join('')
      .replace(
        /^portal serve$/m,
        `portal serve > ../serve.log & trap "kill $!; wait $!" EXIT
        timeout 60 bash -c "until curl --silent --fail ${livez} > ../first; do sleep 0.1; done"`,
      )
      .replace(':4000', `:${port}`);
    const files = path.join(parent, 'files');
    fs.cpSync(release, files, { recursive: true });
    const { status, output } = run(files, 'bash', ['--norc', '-euc', script], {
      PORTAL_PORT: String(port),
      PORTAL_DRAIN_NOTICE: '0',
    });
    expect({ status, output }).toEqual({ status: 0, output });
    const lines = output.split('\n');
    for (const name of fs.readdirSync(release).filter((each) => each !== 'SHA256SUMS'))
      expect(lines).toContain(`${name}: OK`);
    expect(lines).toContain(`${portal.version} (${commit.slice(0, 7)})`);
    expect(output).toContain('{"status":"ok"}');
    expect(fs.existsSync(path.join(files, 'portal-data/database'))).toBe(true);
  });

  it('has a lockfile with what the installed packages need', () => {
    expect(run(installed, 'npm', ['ls', '--all'])).toMatchObject({ status: 0 });
  });

  it('has a lockfile that names no registry', () => {
    const lockfile = readJson(path.join(installed, 'package-lock.json'));
    const entries = Object.values(lockfile.packages);
    expect(entries.length).toBeGreaterThan(100);
    const resolved = entries.flatMap((entry) => entry.resolved ?? []);
    expect(resolved.filter((each) => !each.startsWith('file:packages/'))).toEqual([]);
    expect(entries.slice(1).filter((entry) => !entry.integrity?.startsWith('sha512-'))).toEqual([]);
  });

  it('tells the version alone if it does not know its commit', () => {
    const folder = path.join(installed, 'node_modules/@portal-embed/portal');
    const manifest = readJson(path.join(folder, 'package.json'));
    expect(manifest.gitHead).toBe(commit);
    const plain = copy(folder);
    const modules = path.join(installed, 'node_modules');
    fs.symlinkSync(modules, path.join(plain, 'node_modules'));
    fs.writeFileSync(
      path.join(plain, 'package.json'),
      JSON.stringify({ ...manifest, gitHead: undefined }),
    );
    const program = path.join(plain, 'bin/portal.js');
    expect(run(plain, process.execPath, [program, '--version'])).toEqual({
      status: 0,
      output: `${portal.version}\n`,
    });
  });

  it('has packages without scripts and development dependencies', () => {
    const tarballs = [release, path.join(installed, 'packages')].flatMap((folder) =>
      fs
        .readdirSync(folder)
        .filter((name) => name.endsWith('.tgz'))
        .map((name) => path.join(folder, name)),
    );
    const names = tarballs.map((file) => path.basename(file).replace(/-\d.*/, ''));
    // The portal is only in its own folder, so that nobody installs it without the lockfile.
    const ofPortal = ['contract', 'portal', 'report-model'];
    const ofAll = publicPackages().map(({ folder }) => path.basename(folder));
    const expected = [...ofAll.filter((name) => name !== 'portal'), ...ofPortal];
    expect(names.toSorted()).toEqual(expected.map((name) => `portal-embed-${name}`).toSorted());
    for (const file of tarballs) {
      const args = ['-xzOf', file, 'package/package.json'];
      const manifest = JSON.parse(run(parent, 'tar', args).output);
      const { name, scripts, devDependencies = {}, gitHead } = manifest;
      expect({ scripts, gitHead }).toEqual({ gitHead: commit });
      // It writes the versions of our packages to applications.
      const hasOwn = name === '@portal-embed/create-app';
      const own = hasOwn ? Object.keys(devDependencies) : [];
      expect(own.every((each) => each.startsWith('@portal-embed/'))).toBe(true);
      expect(Object.keys(devDependencies)).toEqual(own);
      expect(JSON.stringify(manifest)).not.toContain('workspace:');
    }
  });

  it('has an SBOM with the dependencies of the portal and the packages in its pages', () => {
    const bom = readJson(path.join(release, `${portal.title}.cdx.json`));
    const purls = bom.components.map(({ purl }) => purl.replace(/@[^@]*$/, ''));
    for (const name of ['express', '%40duckdb/node-bindings-linux-x64', 'react', 'react-dom'])
      expect(purls).toContain(`pkg:npm/${name}`);
    expect(purls).toHaveLength(new Set(bom.components.map(({ purl }) => purl)).size);
    expect(bom.metadata.component).toMatchObject({
      type: 'application',
      name: 'portal-embed-portal',
      version: portal.version,
    });
    expect(JSON.stringify(bom)).not.toContain('file:');
    const { dependsOn } = bom.dependencies.find(({ ref }) =>
      ref.startsWith('@portal-embed/portal@'),
    );
    const react = bom.components.find(({ name }) => name === 'react');
    expect(dependsOn).toContain(react['bom-ref']);
    expect(react.licenses).toEqual([{ expression: 'MIT' }]);
  });

  it('has a changelog with the entries of its version and the rule for downgrades', () => {
    const changelog = fs.readFileSync(path.join(release, 'CHANGELOG.md'), 'utf8');
    expect(changelog).toContain(`## @portal-embed/portal\n\n### ${portal.version}\n`);
    expect(changelog).toContain("A downgrade works as long as the database's schema says so");
    expect(changelog).toContain('Before you upgrade');
    expect(changelog).not.toContain('without a version');
  });

  it('fails its check if a byte has changed', () => {
    const files = copy(release);
    damage(path.join(files, `${portal.title}.tar.gz`));
    const { status, output } = run(files, 'sha256sum', ['--check', 'SHA256SUMS']);
    expect(status).toBe(1);
    expect(output).toContain(`${portal.title}.tar.gz: FAILED\n`);
  });

  it('is not installed if a package does not have its hash in the lockfile', () => {
    const folder = unpack();
    const file = path.join(folder, 'package-lock.json');
    const lockfile = readJson(file);
    // Not a changed package, which npm would replace with the right one of its cache.
    lockfile.packages['node_modules/@portal-embed/portal'].integrity =
      `sha512-${createHash('sha512').digest('base64')}`;
    fs.writeFileSync(file, JSON.stringify(lockfile));
    const { status, output } = run(folder, 'npm', ['ci']);
    expect(status).not.toBe(0);
    expect(output).toContain('EINTEGRITY');
  });

  it('is not installed if a dependency is not in the lockfile', () => {
    const folder = unpack();
    const file = path.join(folder, 'package.json');
    const manifest = readJson(file);
    const dependencies = { ...manifest.dependencies, jsdom: '29.1.1' };
    fs.writeFileSync(file, JSON.stringify({ ...manifest, dependencies }));
    const { status, output } = run(folder, 'npm', ['ci']);
    expect(status).not.toBe(0);
    expect(output).toContain('Missing: jsdom@29.1.1 from lock file');
  });
});

describe('npm run release', () => {
  it('gives the same files in another clone of the commit', () => {
    const other = path.join(parent, 'another-clone');
    git(parent, 'clone', '--quiet', clone, other);
    const readSums = (folder) =>
      fs.readFileSync(path.join(folder, 'SHA256SUMS'), 'utf8').split('\n');
    expect(readSums(makeRelease(other))).toEqual(readSums(release));
  });

  it('refuses changes that are not committed', () => {
    const file = path.join(clone, 'packages/contract/src/new.ts');
    fs.writeFileSync(file, '');
    onTestFinished(() => fs.rmSync(file));
    const { status, output } = run(clone, 'npm', ['run', 'release']);
    expect(status).toBe(1);
    expect(output).toContain('?? packages/contract/src/new.ts');
  });
});
