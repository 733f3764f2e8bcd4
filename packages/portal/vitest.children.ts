import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const tsx = createRequire(import.meta.url).resolve('tsx');

/** Processes that the code under test starts load tsx, since Node 20 cannot run TypeScript. */
export const typescriptChildren = { NODE_OPTIONS: `--import ${pathToFileURL(tsx).href}` };
