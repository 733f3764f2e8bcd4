import fs from 'node:fs';

import { packageFolder } from './package-folder.ts';

const file = new URL('package.json', packageFolder);

/** Release of this portal, such as `0.1.0`. */
export const version = (JSON.parse(fs.readFileSync(file, 'utf8')) as { version: string }).version;
