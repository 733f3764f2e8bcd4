import fs from 'node:fs';
import path from 'node:path';

import { readLanguages, type Languages } from './languages.ts';
import { hash } from './policy.ts';

/** The files of the pages: built by `vite build` (`loadAssets`), or the sources in development. */
export interface Assets {
  /** Folder of the files that are served under `/assets/`. */
  folder: string;
  /** File of the script of `/docs`. */
  apiReference: string;
  script: string;
  /** Scripts that `script` imports and most reports need, for preloading. */
  preloads: string[];
  styles: string[];
  /** The texts of the pages, by language. */
  languages: Languages;
  /** Module that draws the first page of a report; `undefined` draws none. */
  firstPage: string | undefined;
  /** Script of the pages that show frames of other products. */
  frameScript: string;
  /** The administration pages. */
  admin: { script: string; styles: string[] };
  /** The first script of every page, inlined, and its hash for the Content-Security-Policy. */
  readonly boot: BootScript;
}

export interface BootScript {
  code: string;
  /** Its SHA-256 in base64. */
  hash: string;
}

interface ManifestChunk {
  file: string;
  name?: string;
  isEntry?: boolean;
  css?: string[];
  imports?: string[];
  dynamicImports?: string[];
}

/** The code of charts, which most reports need. Other code loads when a tile needs it. */
const preloaded = 'chart-code';

/** @throws if the pages have not been built */
export function loadAssets(folder: string): Assets {
  const manifest = readManifest(folder, 'viewer');
  const entry = findEntry(manifest, 'viewer');
  const admin = findEntry(readManifest(folder, 'admin'), 'admin');
  const later = (entry.dynamicImports ?? []).filter((key) => manifest[key]!.name === preloaded);
  const imported = [...(entry.imports ?? []), ...later].map((key) => manifest[key]!);
  return {
    folder: path.join(folder, 'assets'),
    apiReference: path.join(folder, 'docs/reference.js'),
    script: `/${entry.file}`,
    preloads: imported.map((chunk) => `/${chunk.file}`),
    styles: [entry, ...imported].flatMap((chunk) => chunk.css ?? []).map((file) => `/${file}`),
    languages: readLanguages(
      path.join(folder, 'messages'),
      (language) => findLanguage(manifest, language)?.file,
    ),
    firstPage: path.join(folder, '../first-page/first-page.js'),
    frameScript: `/${findEntry(readManifest(folder, 'frame-page'), 'frame-page').file}`,
    admin: { script: `/${admin.file}`, styles: (admin.css ?? []).map((file) => `/${file}`) },
    boot: hashBoot(fs.readFileSync(path.join(folder, 'boot.js'), 'utf8').trim()),
  };
}

export const hashBoot = (code: string): BootScript => ({ code, hash: hash(code) });

type Manifest = Record<string, ManifestChunk>;

function readManifest(folder: string, app: 'viewer' | 'admin' | 'frame-page'): Manifest {
  try {
    return JSON.parse(fs.readFileSync(path.join(folder, `.vite/${app}.json`), 'utf8')) as Manifest;
  } catch (error) {
    throw new Error(`The portal's pages are not built: run \`npm run build\` (${folder}).`, {
      cause: error,
    });
  }
}

function findLanguage(manifest: Manifest, language: string): ManifestChunk | undefined {
  const file = `/messages/${language}.json`;
  return Object.entries(manifest).find(([source]) => source.endsWith(file))?.[1];
}

function findEntry(manifest: Manifest, name: string): ManifestChunk {
  const entry = Object.values(manifest).find((chunk) => chunk.isEntry && chunk.name === name);
  if (entry) return entry;
  throw new Error(`The build has no page ${name}. Run \`npm run build\`.`);
}
