import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const demo = new URL('../../../../examples/demo-data/', import.meta.url);
const demoFolder = fileURLToPath(demo);

/** 3,000,000 flights. Only the demo's data depends on the package, which exports no file. */
export const flightsFile = path.resolve(
  path.dirname(createRequire(demo).resolve('vega-datasets')),
  '../data/flights-3m.parquet',
);

/**
 * Reads a content file of the demo, such as `datasets/flights.yaml`.
 *
 * @param base the repository of another version; default: this one
 */
export const readDemoContent = (name: string, base?: string): string =>
  fs.readFileSync(
    path.join(
      base === undefined ? demoFolder : path.join(base, 'examples/demo-data'),
      'content',
      name,
    ),
    'utf8',
  );
