import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const { resolve } = createRequire(import.meta.url);

/** The folder of this package. A path relative to this module would change when it is bundled. */
export const packageFolder = new URL(
  '.',
  pathToFileURL(resolve('@portal-embed/portal/package.json')),
);
