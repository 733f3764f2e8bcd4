/** Writes `.br` and `.gz` beside each script and style of the built pages, at the highest quality. */
import fs from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';

const folder = new URL('dist/web/assets/', import.meta.url);

for (const name of await fs.readdir(folder)) {
  // Fonts are compressed already.
  if (/\.(?:br|gz|woff2)$/.test(name)) continue;
  const file = fileURLToPath(new URL(name, folder));
  const content = await fs.readFile(file);
  // The highest quality is zlib's default for Brotli.
  await fs.writeFile(`${file}.br`, await promisify(brotliCompress)(content));
  await fs.writeFile(`${file}.gz`, await promisify(gzip)(content, { level: 9 }));
}
