import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const tsx = createRequire(import.meta.url).resolve('tsx');

/** Node 20 runs no TypeScript: processes that the code under test starts get tsx for it. */
export const typescriptChildren = { NODE_OPTIONS: `--import ${pathToFileURL(tsx).href}` };
