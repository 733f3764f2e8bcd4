import fs from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

import react from '@vitejs/plugin-react';
import { defaultClientConditions, defaultServerConditions, defineConfig, type Plugin } from 'vite';

import { quickStart } from '../admin/dev/quick-start.ts';

const sourcesOf = (name: string) => fileURLToPath(new URL(`../${name}/src`, import.meta.url));
/** The page half of a platform. */
const pageOf = (name: string) => fileURLToPath(new URL(`../${name}/page`, import.meta.url));
const root = sourcesOf('viewer');
const outDir = fileURLToPath(new URL('dist/web', import.meta.url));

// Stated for each environment, since Vite applies those of the configuration to `client` alone.
const fromSources = { conditions: ['source', ...defaultClientConditions] };

/**
 * The viewer and the administration, each with hashed assets and a manifest, and `boot.js`, a single
 * classic script under a fixed name, which the service inlines into every document. The two apps share
 * no chunk, so that neither loads code of the other. `frame-page` is the script of the pages that show
 * frames of other products. `first-page.js` is the viewer for the service
 * itself, which draws the first page of a report with it.
 */
export default defineConfig(({ command }) => {
  // A caller's NODE_ENV must not get into built pages.
  if (command === 'build') process.env['NODE_ENV'] = 'production';
  return {
    root,
    plugins: [react(), dropServiceTexts(), omitPreloads, omitUnused, quickStart],
    resolve: fromSources,
    environments: {
      client: {
        build: {
          outDir,
          emptyOutDir: true,
          manifest: '.vite/viewer.json',
          license: listLicenses('viewer'),
          modulePreload: false,
          rolldownOptions: { input: { viewer: `${root}/viewer.tsx` } },
        },
      },
      admin: {
        consumer: 'client',
        resolve: fromSources,
        build: {
          outDir,
          emptyOutDir: false,
          manifest: '.vite/admin.json',
          license: listLicenses('admin'),
          chunkSizeWarningLimit: 1_000,
          modulePreload: { polyfill: false },
          rolldownOptions: { input: { admin: `${sourcesOf('admin')}/admin.tsx` } },
        },
      },
      framePage: {
        consumer: 'client',
        resolve: fromSources,
        build: {
          outDir,
          emptyOutDir: false,
          manifest: '.vite/frame-page.json',
          license: listLicenses('frame-page'),
          modulePreload: false,
          rolldownOptions: { input: { 'frame-page': `${root}/frames/frame-page.ts` } },
        },
      },
      powerbi: {
        consumer: 'client',
        resolve: fromSources,
        build: {
          outDir,
          emptyOutDir: false,
          modulePreload: false,
          license: listLicenses('powerbi'),
          rolldownOptions: {
            input: `${pageOf('platform-powerbi')}/adapter.ts`,
            preserveEntrySignatures: 'strict',
            output: { entryFileNames: 'powerbi.js' },
          },
        },
      },
      firstPage: {
        consumer: 'server',
        resolve: { noExternal: true, conditions: ['source', ...defaultServerConditions] },
        define: { 'process.env.NODE_ENV': JSON.stringify('production') },
        build: {
          outDir: path.join(outDir, '../first-page'),
          emptyOutDir: true,
          license: listLicenses('first-page'),
          minify: false,
          rolldownOptions: {
            input: `${root}/first-page.tsx`,
            output: { entryFileNames: 'first-page.js' },
          },
        },
      },
      boot: {
        consumer: 'client',
        resolve: fromSources,
        build: {
          outDir,
          emptyOutDir: false,
          modulePreload: false,
          license: listLicenses('boot'),
          rolldownOptions: {
            input: `${root}/boot/boot.ts`,
            output: { format: 'iife', entryFileNames: 'boot.js' },
          },
        },
      },
    },
    builder: {
      async buildApp(builder) {
        await builder.build(builder.environments.client);
        await builder.build(builder.environments.admin);
        await builder.build(builder.environments.framePage);
        await builder.build(builder.environments.powerbi);
        await builder.build(builder.environments.firstPage);
        await builder.build(builder.environments.boot);
        await copyApiReference();
        await copyMessages(path.join(outDir, 'messages'));
      },
    },
  };
});

/**
 * Leaves Vite's preload code out of the viewer: it would delay the first numbers, and late scripts
 * import little. They must import no style sheets, which only that code would load.
 */
const omitPreloads: Plugin = {
  name: 'omit-preloads',
  apply: 'build',
  enforce: 'pre',
  applyToEnvironment: ({ name }) => name === 'client',
  load: {
    filter: { id: /vite\/preload-helper\.js$/ },
    handler: () => 'export const __vitePreload = (load) => load();',
  },
};

/** The packages that an output contains, with their licenses. `npm run release` adds them to the SBOM. */
const listLicenses = (name: string) => ({ fileName: `.vite/${name}.licenses.json` });

/** Leaves out the maps and color schemes that Plot contains and no chart uses. */
const omitUnused: Plugin = {
  name: 'omit-unused',
  apply: 'build',
  async load(id) {
    if (!/\/d3-(?:geo|scale-chromatic)\//.test(id)) return null;
    const names = Object.keys((await import(pathToFileURL(id).href)) as object);
    // Plot calls one of them while it loads.
    return `const omitted = () => {}; export { ${names.map((name) => `omitted as ${name}`).join(', ')} };`;
  },
};

const local = (file: string) => new URL(file, import.meta.url);

/** Leaves the texts that only the service writes out of the scripts of the languages. */
const dropServiceTexts = (): Plugin => ({
  name: 'drop-service-texts',
  enforce: 'pre',
  transform: {
    filter: { id: /\/page-kit\/src\/messages\/[\w-]+\.json$/ },
    handler(code) {
      const catalogue = JSON.parse(code) as { messages: Record<string, unknown> };
      const messages = Object.entries(catalogue.messages).filter(
        ([key]) => !/^(?:notice|no_script)\./.test(key),
      );
      return JSON.stringify({ ...catalogue, messages: Object.fromEntries(messages) });
    },
  },
});

/** The service words its notices with the same texts. */
async function copyMessages(target: string) {
  const source = `${sourcesOf('page-kit')}/messages`;
  await fs.mkdir(target, { recursive: true });
  for (const name of await fs.readdir(source))
    if (name.endsWith('.json')) await fs.copyFile(path.join(source, name), path.join(target, name));
}

/** The script of `/docs` comes ready-made: the service serves it itself. */
async function copyApiReference() {
  await fs.mkdir(local('dist/web/docs'), { recursive: true });
  await fs.copyFile(
    new URL('browser/standalone.js', import.meta.resolve('@scalar/api-reference')),
    local('dist/web/docs/reference.js'),
  );
}
