import type { ReportPlatform } from '#platform';

import { QueryCache, type CacheSettings } from './cache/query-cache.ts';
import type { CatalogueAccess } from './catalogue-access.ts';
import { computeReport, computeExport, listFieldValues } from './compute.ts';
import type { Connections } from './connections/connections.ts';
import { builtin } from './description.ts';
import { Engine, type EngineOptions } from './engine/engine.ts';
import { Datasets } from './files/datasets.ts';
import { toRequest } from './request.ts';
import { Slices } from './slices.ts';
import type { Files } from './storage/files.ts';

export interface BuiltinOptions extends EngineOptions, CacheSettings, CatalogueAccess {
  /** The data files of all organizations. */
  files: Files;
  /** Databases that hold rows of datasets. Default: none. */
  connections?: Connections | undefined;
  /** The current time. Default: the system's clock. */
  now?: () => Date;
}

/** Creates the platform that computes reports over files, with DuckDB, and over connections. */
export function builtinPlatform({
  files,
  connections,
  findDataset,
  isGranted,
  now = () => new Date(),
  ...options
}: BuiltinOptions): ReportPlatform {
  const engine = new Engine(options);
  const slices = new Slices();
  const cache = new QueryCache(options, now, slices);
  const scope = {
    datasets: new Datasets(files, engine, cache),
    connections,
    findDataset,
    isGranted,
    cache,
    uncached: new QueryCache({ cacheMb: 0 }, now, slices),
    slices,
    now,
  };
  return {
    ...builtin,
    open: async (reading, opening) => {
      const request = toRequest(reading, opening);
      return {
        kind: 'tiles',
        page: (page) => computeReport(scope, { ...request, ...page }),
        values: (values) => listFieldValues(scope, { ...request, ...values }),
        export: (tile) => computeExport(scope, { ...request, ...tile }),
      };
    },
    usage: () => {
      const [own, others] = [engine.usage(), connections?.usage()];
      return {
        running: own.running + (others?.running ?? 0),
        waiting: own.waiting + (others?.waiting ?? 0),
      };
    },
    close: async () => {
      await Promise.all([engine.close(), connections?.close()]);
    },
  };
}
