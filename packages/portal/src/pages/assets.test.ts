import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { afterEach, beforeEach, expect, it } from 'vitest';

import { loadAssets } from './assets.ts';

let folder: string;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'portal-assets-'));
  fs.mkdirSync(path.join(folder, '.vite'));
  fs.writeFileSync(path.join(folder, 'boot.js'), 'boot()\n');
  fs.mkdirSync(path.join(folder, 'messages'));
  for (const language of ['de', 'en'])
    fs.writeFileSync(
      path.join(folder, `messages/${language}.json`),
      JSON.stringify({ language, direction: 'ltr', messages: {} }),
    );
});
afterEach(() => fs.rmSync(folder, { recursive: true }));

const admin = { file: 'assets/admin.js', name: 'admin', isEntry: true, css: ['assets/admin.css'] };

const frames = { file: 'assets/frame-page.js', name: 'frame-page', isEntry: true };

function writeManifest(
  manifest: object,
  adminManifest: object = { 'admin.tsx': admin },
  framesManifest: object = { 'frame-page.ts': frames },
) {
  const manifests = { viewer: manifest, admin: adminManifest, 'frame-page': framesManifest };
  for (const [app, content] of Object.entries(manifests))
    fs.writeFileSync(path.join(folder, `.vite/${app}.json`), JSON.stringify(content));
}

const entry = { file: 'assets/viewer.js', name: 'viewer', isEntry: true };

it('the viewer’s page has the scripts and styles of its entry, its imports and its charts', () => {
  writeManifest({
    'other.html': { file: 'assets/other.js', name: 'other', isEntry: true },
    'viewer.js': { file: 'assets/chunk.js', name: 'viewer' },
    'viewer.html': {
      ...entry,
      css: ['assets/viewer.css'],
      imports: ['shared.js'],
      dynamicImports: ['chart.js', 'text.js'],
    },
    'shared.js': { file: 'assets/shared.js', css: ['assets/shared.css'] },
    'chart.js': { file: 'assets/chart.js', name: 'chart-code', css: ['assets/chart.css'] },
    'text.js': { file: 'assets/text.js', name: 'text' },
    'shared/messages/de.json': { file: 'assets/de.js', name: 'de' },
  });
  const language = { direction: 'ltr', messages: {} };
  expect(loadAssets(folder)).toEqual({
    folder: path.join(folder, 'assets'),
    apiReference: path.join(folder, 'docs/reference.js'),
    script: '/assets/viewer.js',
    preloads: ['/assets/shared.js', '/assets/chart.js'],
    styles: ['/assets/viewer.css', '/assets/shared.css', '/assets/chart.css'],
    languages: new Map([
      ['de', { ...language, language: 'de', script: '/assets/de.js' }],
      ['en', { ...language, language: 'en', script: undefined }],
    ]),
    firstPage: path.join(folder, '../first-page/first-page.js'),
    frameScript: '/assets/frame-page.js',
    admin: { script: '/assets/admin.js', styles: ['/assets/admin.css'] },
    boot: { code: 'boot()', hash: createHash('sha256').update('boot()').digest('base64') },
  });
});

it('an entry without imports or styles has none', () => {
  writeManifest({ 'viewer.html': entry });
  expect(loadAssets(folder)).toMatchObject({ preloads: [], styles: [] });
});

it('missing pages are reported with the command that builds them', () => {
  expect(() => loadAssets(folder)).toThrow(/are not built: run `npm run build`/);
  writeManifest({});
  expect(() => loadAssets(folder)).toThrow(/no page viewer. Run `npm run build`/);
  writeManifest({ 'viewer.html': entry }, {});
  expect(() => loadAssets(folder)).toThrow(/no page admin. Run `npm run build`/);
  writeManifest({ 'viewer.html': entry }, undefined, {});
  expect(() => loadAssets(folder)).toThrow(/no page frame-page. Run `npm run build`/);
  writeManifest({ 'viewer.html': entry });
  fs.rmSync(path.join(folder, 'messages/en.json'));
  expect(() => loadAssets(folder)).toThrow(/has no English texts: run `npm run build`/);
});
