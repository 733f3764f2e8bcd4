import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';

/** Output of `vite build` for `web/`. */
export interface Assets {
  /** Folder of the files that are served under `/assets/`. */
  folder: string;
  script: string;
  /** Scripts that `script` imports, for preloading. */
  preloads: string[];
  styles: string[];
  /** The first script of every page, inlined, and its hash for the Content-Security-Policy. */
  boot: { code: string; hash: string };
}

interface ManifestChunk {
  file: string;
  name?: string;
  isEntry?: boolean;
  css?: string[];
  imports?: string[];
  dynamicImports?: string[];
}

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
  const imported = [...(entry.imports ?? []), ...(entry.dynamicImports ?? [])].map(
    (key) => manifest[key]!,
  );
  const code = fs.readFileSync(path.join(folder, 'boot.js'), 'utf8').trim();
  return {
    folder: path.join(folder, 'assets'),
    script: `/${entry.file}`,
    preloads: imported.map((chunk) => `/${chunk.file}`),
    styles: [entry, ...imported].flatMap((chunk) => chunk.css ?? []).map((file) => `/${file}`),
    boot: { code, hash: createHash('sha256').update(code).digest('base64') },
  };
}
