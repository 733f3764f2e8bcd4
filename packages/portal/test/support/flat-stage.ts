import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { afterAll, beforeEach } from 'vitest';

import { createLogger } from '../../src/logger.ts';
import { builtinPlatform } from '../../src/platforms/builtin/platform.ts';
import type { ReportRequest } from '../../src/platforms/platform.ts';

export const measure = { label: 'Sales', aggregate: 'sum', column: 'Sales', format: 'dollars' };
/** A report of one tile. */
export const definition = { tiles: [{ id: 'total', title: 'Total', mark: 'kpi', measure }] };

export const createViewer = (email: string) => ({
  email: [email],
  department: [],
  groups: [],
  companies: [],
});

/** A platform over flat dataset files, for the tests of one file. Each test has an empty folder. */
export function createFlatStage() {
  const root = fs.mkdtempSync(path.join(os.tmpdir(), 'datasets-'));
  const folder = path.join(root, 'datasets');
  const platform = builtinPlatform({
    folder,
    queries: 2,
    userQueries: 2,
    threads: 1,
    memoryMb: 128,
    cacheMb: 16,
    logger: createLogger('silent'),
  });
  afterAll(() => platform.close());
  beforeEach(() => {
    fs.mkdirSync(folder, { recursive: true });
    return () => fs.rmSync(root, { recursive: true });
  });

  const write = (name: string, text: string) => fs.writeFileSync(path.join(folder, name), text);

  const compute = (file: string, request: Partial<ReportRequest> = {}) =>
    platform.compute({
      organizationId: 'acme',
      userId: 'west',
      platform: 'builtin',
      dataset: { name: 'Orders', file, files: null, definition: null },
      definition,
      page: 0,
      visibleRows: ['all'],
      viewer: createViewer('west@acme.example'),
      isGranted: async () => false,
      findDataset: async () => undefined,
      filters: [],
      unappliedFilters: 'note',
      onTileFailure: () => {},
      signal: new AbortController().signal,
      ...request,
    });

  const tilesOf = async (file: string, request?: Partial<ReportRequest>) =>
    (await compute(file, request)).page.rows.flat();

  const total = async (file: string, request?: Partial<ReportRequest>) => {
    const [tile] = await tilesOf(file, request);
    return tile && 'value' in tile ? tile.value : tile;
  };

  return { root, folder, platform, write, compute, tilesOf, total };
}
