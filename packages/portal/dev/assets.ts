import fs from 'node:fs';
import { fileURLToPath } from 'node:url';

import { transformSync } from 'esbuild';

import { hashBoot, type Assets, type BootScript } from '../src/pages/assets.ts';
import { readLanguages } from '../src/pages/languages.ts';

const local = (path: string) => fileURLToPath(new URL(path, import.meta.url));

let compiled: { source: string; boot: BootScript } | undefined;

/** Compiles the boot script; reuses the result until the source changes. */
function compileBoot(): BootScript {
  const source = fs.readFileSync(local('../../viewer/src/boot/boot.ts'), 'utf8');
  if (compiled?.source !== source) {
    const { code } = transformSync(source, { loader: 'ts', format: 'iife', minify: true });
    compiled = { source, boot: hashBoot(code.trim()) };
  }
  return compiled.boot;
}

/**
 * The pages from their sources, for development and for tests without a build. The portal does not
 * serve the scripts; in development, the Vite server in front of it does.
 */
export const sourceAssets: Assets = {
  folder: local('../../viewer/src/assets'),
  apiReference: local('../node_modules/@scalar/api-reference/dist/browser/standalone.js'),
  script: '/viewer.tsx',
  preloads: [],
  styles: [],
  firstPage: undefined,
  frameScript: '/frames/frame-page.ts',
  // Outside of the root of the Vite server.
  admin: {
    script: `/@fs${new URL('../../admin/src/admin.tsx', import.meta.url).pathname}`,
    styles: [],
  },
  languages: readLanguages(local('../../page-kit/src/messages')),
  // Read for each document, so that a change needs no restart.
  get boot() {
    return compileBoot();
  },
};
