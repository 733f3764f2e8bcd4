import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';

import {
  datasetSchema,
  reportSchema,
  type Dataset,
  type FailedTile,
  type Key,
  type Report,
  type Tile,
} from '@portal-embed/report-model';
import type { z } from 'zod';

import type { FieldValues } from '#viewer/requests';

import { createLogger } from '../../src/logger.ts';
import type { Connections } from '../../src/platforms/builtin/connections/connections.ts';
import { builtinPlatform } from '../../src/platforms/builtin/platform.ts';
import type {
  ComputedReport,
  ReportPlatform,
  ReportRequest,
  ValuesRequest,
} from '../../src/platforms/platform.ts';

type DatasetInput = z.input<typeof datasetSchema>;
type TileInput = z.input<typeof reportSchema>['pages'][number]['rows'][number]['tiles'][number];

/** A platform over a folder of its own, for datasets and reports of content files. */
export class ContentStage {
  readonly folder = fs.mkdtempSync(path.join(os.tmpdir(), 'content-'));
  readonly platform: ReportPlatform;
  now = new Date('2026-01-01T00:00:00Z');

  /** @param connections the organization may use all of them */
  constructor(connections?: Connections) {
    this.platform = builtinPlatform({
      folder: this.folder,
      connections,
      queries: 2,
      userQueries: 2,
      threads: 1,
      memoryMb: 256,
      cacheMb: 16,
      logger: createLogger('silent'),
      now: () => this.now,
    });
    fs.mkdirSync(path.join(this.folder, 'acme'));
  }

  /** Writes a file of the organization `acme`. */
  write(name: string, text: string): void {
    fs.writeFileSync(path.join(this.folder, 'acme', name), text);
  }

  async close(): Promise<void> {
    await this.platform.close();
    fs.rmSync(this.folder, { recursive: true });
  }

  compute(
    dataset: Omit<DatasetInput, 'name'> & { name?: string },
    report: Partial<z.input<typeof reportSchema>> | TileInput[],
    request: Partial<ReportRequest> = {},
  ): Promise<ComputedReport> {
    return this.platform.compute(this.#createRequest(dataset, report, request));
  }

  listValues(
    dataset: Parameters<ContentStage['compute']>[0],
    report: Parameters<ContentStage['compute']>[1],
    { field, search, ...request }: Partial<ReportRequest> & Pick<ValuesRequest, 'field' | 'search'>,
  ): Promise<FieldValues> {
    return this.platform.listValues({
      ...this.#createRequest(dataset, report, request),
      field,
      search,
    });
  }

  /** Returns the header and the rows of an exported tile. */
  async export(
    ...[dataset, tiles, request]: Parameters<ContentStage['compute']>
  ): Promise<Key[][]> {
    const { columns, rows } = await this.platform.export({
      ...this.#createRequest(dataset, tiles, request),
      tile: '0.0.0',
    });
    const batches: Key[][][] = await Readable.from(rows).toArray();
    return [columns.map(({ name }) => name), ...batches.flat()];
  }

  #createRequest(
    dataset: Parameters<ContentStage['compute']>[0],
    report: Parameters<ContentStage['compute']>[1],
    request: Partial<ReportRequest> = {},
  ): ReportRequest {
    const definition: Dataset = datasetSchema.parse({ name: 'Orders', ...dataset });
    const { source } = definition;
    return {
      organizationId: 'acme',
      userId: 'west',
      platform: 'builtin',
      dataset: {
        name: definition.name,
        file: '',
        files: 'file' in source ? [source.file] : 'files' in source ? [source.files] : [],
        definition,
      },
      definition: createReport(report),
      page: 0,
      visibleRows: ['all'],
      viewer: { email: ['west@acme.example'], department: [], groups: [], companies: [] },
      isGranted: async () => true,
      findDataset: async () => undefined,
      filters: [],
      unappliedFilters: 'note',
      onTileFailure: (error) => {
        throw error;
      },
      signal: new AbortController().signal,
      ...request,
    };
  }

  async tilesOf(...input: Parameters<ContentStage['compute']>): Promise<(Tile | FailedTile)[]> {
    return (await this.compute(...input)).page.rows.flat();
  }
}

function createReport(report: Partial<z.input<typeof reportSchema>> | TileInput[]): Report {
  const pages = Array.isArray(report)
    ? [{ name: 'Page', rows: report.map((tile) => ({ tiles: [tile] })) }]
    : [];
  const rest = Array.isArray(report) ? {} : report;
  return reportSchema.parse({ name: 'R', workspace: 'W', dataset: 'orders', pages, ...rest });
}
