import type { ReportPlatform } from '../platform.ts';
import { QueryCache, type CacheSettings } from './cache/query-cache.ts';
import { computeReport } from './compute.ts';
import { Engine, type EngineOptions } from './engine/engine.ts';
import { Datasets } from './files/datasets.ts';

export interface BuiltinOptions extends EngineOptions, CacheSettings {
  /** Folder of the dataset files. */
  folder: string;
  /** The current time. Default: the system's clock. */
  now?: () => Date;
}

/** Creates the platform that computes reports over Parquet and CSV files with DuckDB. */
export function builtinPlatform({
  folder,
  now = () => new Date(),
  ...options
}: BuiltinOptions): ReportPlatform {
  const engine = new Engine(options);
  const cache = new QueryCache(engine, options);
  const scope = { datasets: new Datasets(folder, cache), cache, now };
  return {
    compute: (request) => computeReport(scope, request),
    usage: () => engine.usage(),
    close: () => engine.close(),
  };
}
