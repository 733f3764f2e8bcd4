import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { createApp } from './create-app.ts';
import { frameworks } from './frameworks.ts';

let parent: string;
let folder: string;
beforeEach(() => {
  parent = fs.mkdtempSync(path.join(os.tmpdir(), 'create-app-'));
  folder = path.join(parent, 'My host');
});
afterEach(() => fs.rmSync(parent, { recursive: true }));

interface Manifest {
  name: string;
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
}

const readManifest = (of: string) =>
  JSON.parse(fs.readFileSync(path.join(of, 'package.json'), 'utf8')) as Manifest;

const isOwn = ([name]: [string, string]) => name.startsWith('@portal-embed/');

const repository = new URL('../../../', import.meta.url).pathname;

describe.each(Object.keys(frameworks))('an application on %s', (framework) => {
  it('has its policy, its test, its environment and its portal', () => {
    createApp({ folder, framework });
    const files = fs.readdirSync(folder, { recursive: true }).map(String);
    for (const file of [
      '.env.example',
      '.gitignore',
      'README.md',
      'policy.js',
      'portal/start.js',
      'portal/tenants.js',
      'session.js',
      'test/host-endpoint.test.js',
    ])
      expect(files).toContain(file);
    expect(readManifest(folder).name).toBe('my-host');
  });

  it('has the versions of our packages with which this one is packed', () => {
    createApp({ folder, framework });
    const { dependencies, devDependencies } = readManifest(folder);
    const own = Object.entries({ ...dependencies, ...devDependencies }).filter(isOwn);
    // `pnpm pack` replaces it in our package.json with the exact version.
    expect(new Set(own.map(([, version]) => version))).toEqual(new Set(['workspace:*']));
  });

  it('has the versions of the example', () => {
    createApp({ folder, framework });
    const { dependencies } = readManifest(folder);
    const tested = readManifest(path.join(repository, 'examples', framework)).dependencies;
    const versions = Object.entries(dependencies).filter((each) => !isOwn(each));
    expect(versions.length).toBeGreaterThan(0);
    expect(tested).toMatchObject(Object.fromEntries(versions));
  });
});

describe('packages from tarballs', () => {
  const names = ['contract', 'client', 'host', 'react', 'report-model', 'portal', 'testing'];

  it('are copied, and all are direct dependencies, because no registry may have them', () => {
    const packs = path.join(parent, 'packs');
    fs.mkdirSync(packs);
    for (const name of names)
      fs.writeFileSync(path.join(packs, `portal-embed-${name}-0.1.0.tgz`), '');
    createApp({ folder, framework: 'hono', packs });
    const { dependencies, devDependencies } = readManifest(folder);
    expect({ ...dependencies, ...devDependencies }).toMatchObject(
      Object.fromEntries(
        names.map((name) => [
          `@portal-embed/${name}`,
          `file:vendor/portal-embed-${name}-0.1.0.tgz`,
        ]),
      ),
    );
    expect(fs.readdirSync(path.join(folder, 'vendor')).toSorted()).toEqual(
      names.map((name) => `portal-embed-${name}-0.1.0.tgz`).toSorted(),
    );
  });

  it.each([
    ['missing', 'does not exist'],
    ['.', 'has no portal-embed-client-*.tgz'],
  ])('of the folder %s are refused, and nothing is written', (name, message) => {
    const packs = path.join(parent, name);
    expect(() => createApp({ folder, framework: 'hono', packs })).toThrow(message);
    expect(fs.existsSync(folder)).toBe(false);
  });
});

describe('a folder', () => {
  it('that is not empty is refused, and keeps its files', () => {
    fs.mkdirSync(folder);
    fs.writeFileSync(path.join(folder, 'notes.txt'), 'mine');
    expect(() => createApp({ folder, framework: 'hono' })).toThrow(
      'is not empty: it has notes.txt',
    );
    expect(fs.readdirSync(folder)).toEqual(['notes.txt']);
  });

  it('that is a file is refused', () => {
    fs.writeFileSync(folder, 'mine');
    expect(() => createApp({ folder, framework: 'hono' })).toThrow('is a file');
  });

  it('with an empty repository is accepted', () => {
    fs.mkdirSync(path.join(folder, '.git'), { recursive: true });
    createApp({ folder, framework: 'hono' });
    expect(fs.existsSync(path.join(folder, '.git'))).toBe(true);
  });
});

it('an unknown framework is refused with the known ones', () => {
  expect(() => createApp({ folder, framework: 'koa' })).toThrow(
    'Unknown framework koa. Frameworks: express, nextjs, hono, fastify.',
  );
});
