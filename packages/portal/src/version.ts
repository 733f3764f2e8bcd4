import fs from 'node:fs';

const file = new URL('../package.json', import.meta.url);

/** Release of this portal, such as `0.1.0`. */
export const version = (JSON.parse(fs.readFileSync(file, 'utf8')) as { version: string }).version;
