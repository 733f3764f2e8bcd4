import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';

import { buildFirst } from 'test-support/build';
import { beforeAll, describe, expect, it } from 'vitest';

const folder = fileURLToPath(new URL('../../dist/web', import.meta.url));
let manifest: Record<string, { file: string; css?: string[]; imports?: string[] }>;

const isLanguage = (key: string) => key.includes('/messages/');
const read = (file: string) => readFile(join(folder, file), 'utf8');
const gzipSize = async (file: string) => gzipSync(await read(file)).length;

buildFirst();
beforeAll(async () => {
  manifest = JSON.parse(await read('.vite/viewer.json'));
});

describe('the built pages', () => {
  it('have one viewer script and one style sheet, both with hashed names', () => {
    const { file, css } = manifest['viewer.tsx']!;
    expect(file).toMatch(/^assets\/viewer-[\w-]{8}\.js$/);
    expect(css).toEqual([expect.stringMatching(/^assets\/viewer-[\w-]{8}\.css$/)]);
  });

  it('have a boot script that can be inlined', async () => {
    const script = await read('boot.js');
    expect(script).not.toMatch(/\bimport\b|\bexport\b|<\/|<!--/);
    expect(script).toMatch(/^\(function\(\)\{.*\}\)\(\);?\s*$/s);
    expect(Buffer.byteLength(script)).toBeLessThan(2_000);
  });

  it('stay within their gzip sizes: 95 kB for first numbers, 230 kB for all scripts, 6.8 kB for styles', async () => {
    const { css } = manifest['viewer.tsx']!;
    const sizeOf = async (keys: string[]) => {
      const sizes = await Promise.all(keys.map((key) => gzipSize(manifest[key]!.file)));
      return { sum: sizes.reduce((sum, size) => sum + size, 0), most: Math.max(...sizes) };
    };
    // A reader loads one language.
    const languages = await sizeOf(Object.keys(manifest).filter(isLanguage));
    // A page loads at most one font, and only if its look has one.
    const isScript = (key: string) => !isLanguage(key) && !key.endsWith('.woff2');
    const scripts = await sizeOf(Object.keys(manifest).filter(isScript));
    const first = await sizeOf(['viewer.tsx', ...(manifest['viewer.tsx']!.imports ?? [])]);
    expect(first.sum + languages.most).toBeLessThan(95_000);
    expect(scripts.sum + languages.most).toBeLessThan(230_000);
    expect(await gzipSize(css![0]!)).toBeLessThan(6_800);
  });

  it('load the editors of definitions on demand only', async () => {
    const pages: typeof manifest = JSON.parse(await read('.vite/admin.json'));
    const listLoaded = (key: string): string[] => [
      key,
      ...(pages[key]!.imports ?? []).flatMap(listLoaded),
    ];
    const loaded = listLoaded('../../admin/src/admin.tsx');
    const scripts = await Promise.all(loaded.map((key) => read(pages[key]!.file)));
    const visual = pages['../../admin/src/definition/visual/VisualEditor.tsx']!;
    // Names of classes of both editors.
    expect(await read(visual.file)).toContain('canvas-tile');
    expect(scripts.join('')).not.toMatch(/canvas-tile|cm-editor/);
    expect(await gzipSize(visual.file)).toBeLessThan(70_000);
  });

  it('have a script for each language, and none in the viewer’s', async () => {
    const { file } = manifest['viewer.tsx']!;
    const languages = Object.keys(manifest).filter(isLanguage);
    expect(languages).toHaveLength(5);
    expect(await read(file)).not.toMatch(/Why these rows|Warum diese Zeilen/);
    const german = manifest['../../page-kit/src/messages/de.json']!;
    expect(await read(german.file)).toContain('Warum diese Zeilen?');
    // The service reads the catalogues themselves, with texts that the pages do not need.
    const catalogue = JSON.parse(await read('messages/de.json'));
    expect(catalogue).toMatchObject({ language: 'de' });
    const { 'notice.used.title': notice } = catalogue.messages;
    expect(notice).toEqual(expect.any(String));
    expect(await read(german.file)).not.toContain(notice);
  });

  it('each built script and style comes with a Brotli and a gzip version, and fonts as they are', async () => {
    const names = await readdir(join(folder, 'assets'));
    const originals = names.filter((name) => /\.(?:js|css)$/.test(name));
    const fonts = names.filter((name) => name.endsWith('.woff2'));
    expect(fonts).toHaveLength(2);
    expect(names).toHaveLength(3 * originals.length + fonts.length);
    for (const name of originals) {
      const file = join(folder, 'assets', name);
      const content = await readFile(file);
      expect(brotliDecompressSync(await readFile(`${file}.br`)).equals(content)).toBe(true);
      expect(gunzipSync(await readFile(`${file}.gz`)).equals(content)).toBe(true);
    }
  });

  it('the viewer’s scripts do not include zod', async () => {
    for (const { file } of Object.values(manifest))
      expect(await read(file)).not.toContain('ZodError');
  });

  it('only the page of Power BI has the code of its client', async () => {
    // A name in each of the client's messages.
    const ofClient = /windowPostMessageProxy/;
    expect(await read('powerbi.js')).toMatch(ofClient);
    const scripts = (await readdir(join(folder, 'assets'))).filter((name) => name.endsWith('.js'));
    for (const name of scripts) {
      const hasClient = ofClient.test(await read(`assets/${name}`));
      expect([name, hasClient]).toEqual([name, false]);
    }
    expect(await read('boot.js')).not.toMatch(ofClient);
  });

  it('the viewer’s scripts do not use eval or new Function', async () => {
    for (const { file } of Object.values(manifest))
      expect(await read(file)).not.toMatch(/\beval\(|new Function\(/);
  });

  it('the viewer’s styles use no viewport units, which would make an auto-height frame grow endlessly', async () => {
    const css = await read(manifest['viewer.tsx']!.css![0]!);
    expect(css).not.toMatch(/\d(?:[sld]?v(?:[hwbi]|min|max))\b/);
  });
});
