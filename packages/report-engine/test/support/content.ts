import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';

import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api';
import {
  datasetSchema,
  reportSchema,
  resolveDataset,
  type Dataset,
  type FailedTile,
  type FieldType,
  type Key,
  type Report,
  type ResolvedDataset,
  type Tile,
  type FieldValues,
} from '@portal-embed/report-model';
import { pino } from 'pino';
import type { z } from 'zod';

import type {
  ComputedReport,
  ExportColumn,
  ReportPlatform,
  StoredDataset,
  Tiles,
  ValuesRequest,
} from '#platform';

import type { Connections } from '../../src/connections/connections.ts';
import type { DatasetContent } from '../../src/content.ts';
import { builtinPlatform } from '../../src/platform.ts';
import type { ReportRequest } from '../../src/request.ts';
import { folderFiles } from '../../src/storage/folder-files.ts';

type DatasetInput = Omit<z.input<typeof datasetSchema>, 'name'> & { name?: string };
type TileInput = z.input<typeof reportSchema>['pages'][number]['rows'][number]['tiles'][number];

/** Changes of the reader's request. Default: a reader of all rows, without a choice. */
export interface StageRequest extends Partial<ReportRequest> {
  /** Datasets in which roles look up values. Default: none. */
  findDataset?: (slug: string) => Promise<StoredDataset | undefined>;
}

/** The current time of a stage. Some time zones have another day. */
export const stageTime = new Date('2026-01-01T00:00:00Z');

/** A platform over a folder of its own, for datasets and reports of content files. */
export class ContentStage {
  readonly folder = fs.mkdtempSync(path.join(os.tmpdir(), 'content-'));
  readonly platform: ReportPlatform;
  now = stageTime;
  /** Converts the files. */
  #duckdb: Promise<DuckDBConnection> | undefined;
  /** Resolves when all files are written. */
  #writing = Promise.resolve();
  /** Of the latest request. */
  #findDataset: StageRequest['findDataset'];

  /** @param connections the organization may use all of them */
  constructor(connections?: Connections) {
    this.platform = builtinPlatform({
      files: folderFiles(this.folder),
      connections,
      findDataset: async (_organizationId, slug) => this.#findDataset?.(slug),
      isGranted: async () => true,
      queries: 2,
      userQueries: 2,
      threads: 1,
      memoryMb: 256,
      cacheMb: 16,
      logger: pino({ level: 'silent' }),
      now: () => this.now,
    });
    fs.mkdirSync(path.join(this.folder, 'acme'));
  }

  /**
   * Writes a data file of the organization `acme`: stores its rows as Parquet, in the types that DuckDB
   * finds. The next use of the stage waits for it.
   */
  write(name: string, csv: string): void {
    this.#writing = this.#writing.then(() => this.#store(name, csv));
    // The next use of the stage reports the error.
    this.#writing.catch(() => {});
  }

  async #store(name: string, csv: string): Promise<void> {
    this.#duckdb ??= DuckDBInstance.create().then((instance) => instance.connect());
    const given = path.join(this.folder, 'given.csv');
    const written = path.join(this.folder, 'written.parquet');
    fs.writeFileSync(given, csv);
    const connection = await this.#duckdb;
    await connection.run(
      `COPY (SELECT * FROM read_csv('${given}')) TO '${written}' (FORMAT parquet)`,
    );
    fs.renameSync(written, path.join(this.folder, 'acme', nameStored(name)));
  }

  /** Resolves when all files are written. */
  written(): Promise<void> {
    return this.#writing;
  }

  async close(): Promise<void> {
    await this.platform.close();
    (await this.#duckdb)?.closeSync();
    fs.rmSync(this.folder, { recursive: true });
  }

  async compute(
    dataset: DatasetInput,
    report: Partial<z.input<typeof reportSchema>> | TileInput[],
    { page = 0, view, ...request }: StageRequest = {},
  ): Promise<ComputedReport> {
    const tiles = await this.#open(dataset, report, request);
    return tiles.page({ page, view });
  }

  async listValues(
    dataset: Parameters<ContentStage['compute']>[0],
    report: Parameters<ContentStage['compute']>[1],
    {
      field,
      search,
      page = 0,
      view,
      ...request
    }: StageRequest & Pick<ValuesRequest, 'field' | 'search'>,
  ): Promise<FieldValues> {
    const tiles = await this.#open(dataset, report, request);
    return tiles.values!({ page, view, field, search });
  }

  /** Returns the header and the rows of an exported tile. */
  async export(...input: Parameters<ContentStage['exportFile']>): Promise<Key[][]> {
    const { columns, rows } = await this.exportFile(...input);
    return [columns.map(({ name }) => name), ...rows];
  }

  /** Returns the columns and the rows of an exported tile. */
  async exportFile(
    dataset: Parameters<ContentStage['compute']>[0],
    report: Parameters<ContentStage['compute']>[1],
    { page = 0, view, ...request }: StageRequest = {},
  ): Promise<{ columns: ExportColumn[]; rows: Key[][] }> {
    const tiles = await this.#open(dataset, report, request);
    const { columns, rows } = await tiles.export!({ page, view, tile: '0.0.0' });
    const batches: Key[][][] = await Readable.from(rows).toArray();
    return { columns, rows: batches.flat() };
  }

  async #open(
    dataset: DatasetInput,
    report: Parameters<ContentStage['compute']>[1],
    {
      organizationId = 'acme',
      userId = 'west',
      visibleRows = ['all'],
      viewer = { email: ['west@acme.example'], department: [], groups: [], companies: [] },
      onTileFailure = (error) => {
        throw error;
      },
      signal = new AbortController().signal,
      findDataset,
      ...request
    }: StageRequest,
  ): Promise<Tiles> {
    await this.#writing;
    this.#findDataset = findDataset;
    const reading = {
      organizationId,
      queue: userId,
      reader: viewer,
      report: { source: createReport(report) },
      dataset: storeDataset(dataset),
      rows: {
        access: 'by-role',
        roles: visibleRows.map((definition, index) => ({ name: `Role ${index}`, definition })),
      },
      filters: [],
      unappliedFilters: 'note',
      purpose: 'read',
      ...request,
    } as const;
    const opened = await this.platform.open(reading, { onTileFailure, signal });
    if (opened.kind === 'tiles') return opened;
    throw new Error(`The report is ${opened.kind}.`);
  }

  async tilesOf(...input: Parameters<ContentStage['compute']>): Promise<(Tile | FailedTile)[]> {
    return (await this.compute(...input)).page.rows.flat();
  }
}

/** The file that queries read. */
const nameStored = (name: string) => name.replace(/\.csv$/, '.parquet');

/** A dataset as the portal stores it, whose files are written by a `ContentStage`. */
export function storeDataset(dataset: DatasetInput, files = listFiles(dataset)): StoredDataset {
  const definition: Dataset = datasetSchema.parse({ name: 'Orders', ...dataset });
  const source: DatasetContent = { definition, files, columns: [] };
  return { name: definition.name, source, timeZone: 'UTC' };
}

function listFiles(dataset: DatasetInput): string[] {
  const { source } = datasetSchema.parse({ name: 'Orders', ...dataset });
  const files = 'file' in source ? [source.file] : 'files' in source ? [source.files] : [];
  return files.map(nameStored);
}

/** A dataset whose fields are the columns of its source. */
export function resolveColumns(
  name: string,
  columns: Readonly<Record<string, FieldType>>,
): ResolvedDataset {
  const definition = datasetSchema.parse({ name, source: { file: 'orders.csv' } });
  const { dataset, issues } = resolveDataset(definition, new Map(Object.entries(columns)));
  if (!dataset) throw new Error(JSON.stringify(issues));
  return dataset;
}

function createReport(report: Partial<z.input<typeof reportSchema>> | TileInput[]): Report {
  const pages = Array.isArray(report)
    ? [{ name: 'Page', rows: report.map((tile) => ({ tiles: [tile] })) }]
    : [];
  const rest = Array.isArray(report) ? {} : report;
  return reportSchema.parse({ name: 'R', workspace: 'W', dataset: 'orders', pages, ...rest });
}
