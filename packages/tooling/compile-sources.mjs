import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const cache = fileURLToPath(
  new URL('../portal/node_modules/.cache/compiled-sources', import.meta.url),
);

/** A hook of Node's module loader. */
export async function load(url, context, nextLoad) {
  if (!url.endsWith('.ts')) return nextLoad(url, context);
  const source = await compile(fs.readFileSync(fileURLToPath(url), 'utf8'));
  return { format: 'module', shortCircuit: true, source };
}

async function compile(source) {
  const target = path.join(cache, `${createHash('sha256').update(source).digest('hex')}.js`);
  if (fs.existsSync(target)) return fs.readFileSync(target, 'utf8');
  // Not imported if all files are in the cache.
  const { transform } = await import('esbuild');
  const { code } = await transform(source, { loader: 'ts' });
  // Other processes must not see a part of the file.
  const part = `${target}.${process.pid}`;
  fs.mkdirSync(cache, { recursive: true });
  fs.writeFileSync(part, code);
  fs.renameSync(part, target);
  return code;
}
