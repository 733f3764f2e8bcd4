import { fileURLToPath } from 'node:url';

import { buildOnce } from 'test-support/build';

import { loadAssets, type Assets } from '../../src/pages/assets.ts';

/** Builds the pages if a source is newer and returns their files. */
export async function loadBuiltAssets(): Promise<Assets> {
  await buildOnce();
  return loadAssets(fileURLToPath(new URL('../../dist/web', import.meta.url)));
}
