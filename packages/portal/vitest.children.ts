import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const tsx = createRequire(import.meta.url).resolve('tsx');

/** Processes that the code under test starts run sources with tsx, since Node 20 runs no TypeScript. */
export const typescriptChildren = {
  NODE_OPTIONS: `--conditions=source --import ${pathToFileURL(tsx).href}`,
};
