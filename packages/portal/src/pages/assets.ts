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
  let manifest: Record<string, ManifestChunk>;
  try {
    manifest = JSON.parse(
      fs.readFileSync(path.join(folder, '.vite/manifest.json'), 'utf8'),
    ) as Record<string, ManifestChunk>;
  } catch (error) {
    throw new Error(`The portal's pages are not built: run \`npm run build\` (${folder}).`, {
      cause: error,
    });
  }
  const entry = Object.values(manifest).find((chunk) => chunk.isEntry && chunk.name === 'viewer');
  if (!entry) throw new Error(`${folder} has no viewer page: run \`npm run build\`.`);
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
      (language) => manifest[`shared/messages/${language}.json`]?.file,
    ),
    boot: hashBoot(fs.readFileSync(path.join(folder, 'boot.js'), 'utf8').trim()),
  };
}

export const hashBoot = (code: string): BootScript => ({ code, hash: hash(code) });
