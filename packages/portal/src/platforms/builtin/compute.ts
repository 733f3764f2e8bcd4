import { setMaxListeners } from 'node:events';

import type {
  FailedTile,
  FlatPredicate,
  LookUp,
  ResolvedDataset,
  RowPredicate,
  Tile,
  TileFailure,
  TypedExpression,
} from '@portal-embed/report-model';

import {
  ReportError,
  UnappliedFiltersError,
  type ComputedReport,
  type ReportRequest,
  type RoleRows,
} from '../platform.ts';
import type { QueryCache } from './cache/query-cache.ts';
import type { Connections } from './connections/connections.ts';
import { readDataset, readReport, readSource, type ReadTile } from './content.ts';
import type { Datasets } from './files/datasets.ts';
import { convertPredicate } from './flat/convert.ts';
import { anyOf, everyOf } from './plan/compare.ts';
import {
  compileFilters,
  listDefaults,
  listUnreadable,
  readFilters,
  type FieldFilter,
} from './plan/filters.ts';
import { readLookUp, type LookUpSource } from './plan/look-ups.ts';
import type { Condition } from './plan/plan.ts';
import { compileRole, listLookUps } from './plan/roles.ts';
import { findShownTimes, readDataAsOf, shiftFilters } from './plan/time.ts';
import { answerPlans, typesOf, type Source } from './source.ts';
import { describeTile, TileError, type TileContext } from './tiles/context.ts';
import { computeTile } from './tiles/registry.ts';

/** Shared by all reports of a platform. */
export interface Scope {
  datasets: Datasets;
  connections: Connections | undefined;
  cache: QueryCache;
  now: () => Date;
}

/** Characters of the tiles of one page, as JSON. */
const maxPageCharacters = 16_000_000;

/** Computes a page of a report. */
export async function computeReport(scope: Scope, request: ReportRequest): Promise<ComputedReport> {
  const failed = new AbortController();
  const signal = AbortSignal.any([request.signal, failed.signal]);
  // Each query of the report adds a listener.
  setMaxListeners(0, signal);
  try {
    return await new Computation(scope, request, signal).compute();
  } finally {
    // After a failure, the report's other queries are not needed.
    failed.abort();
  }
}

class Computation {
  readonly #scope: Scope;
  readonly #request: ReportRequest;
  readonly #signal: AbortSignal;
  /** Datasets in which roles look up values, by their slugs. */
  readonly #lookedUp = new Map<string, Promise<LookUpSource>>();
  #charactersLeft = maxPageCharacters;

  constructor(scope: Scope, request: ReportRequest, signal: AbortSignal) {
    this.#scope = scope;
    this.#request = request;
    this.#signal = signal;
  }

  async compute(): Promise<ComputedReport> {
    const request = this.#request;
    const { dataset, run } = await this.#open(request.dataset);
    const report = readReport(request.definition, dataset);
    const read = readFilters(dataset, request.filters);
    if (request.unappliedFilters === 'refuse' && read.unapplied.length > 0)
      throw new UnappliedFiltersError(read.unapplied);
    const visibleRows = await this.#compileRoles(dataset);
    const dataAsOf = await readDataAsOf(dataset, run, this.#scope.now());
    const defaultFilters = listDefaults(report.filters, read.filters, dataAsOf);
    const defaults = readFilters(dataset, [defaultFilters]).filters;
    const filters: FieldFilter[] = [...read.filters, ...defaults];
    const filterRows = (by: readonly FieldFilter[]) => everyOf([visibleRows, compileFilters(by)]);
    const context: TileContext = {
      dataset,
      rows: filterRows(filters),
      // The host may have locked the other filters, so they apply to every number.
      rowsBefore: (period) =>
        filterRows([...read.filters, ...shiftFilters(dataset, defaults, period)]),
      dataAsOf,
      shown: findShownTimes(dataset, filters),
      run,
    };
    const index = report.pages[request.page] ? request.page : 0;
    const page = report.pages[index] ?? { name: '', rows: [] };
    const [rowCount, ...tiles] = await Promise.all([
      countRows(context),
      ...page.rows.map((row) => Promise.all(row.map((tile) => this.#compute(context, tile)))),
    ]);
    return {
      unappliedFilters: read.unapplied,
      unreadableFilters: listUnreadable(read.filters),
      defaultFilters,
      rowCount,
      ...(dataAsOf === undefined ? {} : { dataAsOf }),
      timeZone: dataset.timeZone,
      pages: report.pages.map(({ name }) => name),
      page: { name: page.name, rows: tiles, index },
    };
  }

  async #open(stored: ReportRequest['dataset']) {
    const source = await this.#openSource(stored);
    const dataset = readDataset(stored, typesOf(source));
    const { cache } = this.#scope;
    const run = answerPlans(cache, this.#request, source, dataset.timeZone, this.#signal);
    return { dataset, run };
  }

  async #openSource(stored: ReportRequest['dataset']): Promise<Source> {
    const source = readSource(stored);
    const { datasets, connections } = this.#scope;
    const { organizationId, isGranted } = this.#request;
    if (!source || !('connection' in source)) {
      const { file, files } = stored;
      const names = files ? { organizationId, files } : { file };
      return datasets.open(this.#request, names, this.#signal);
    }
    const name = source.connection;
    const connection = connections?.get(name);
    if (!connection)
      throw new ReportError('unavailable', `The connection "${name}" is not configured.`);
    if (!(await isGranted(name)))
      throw new ReportError(
        'unavailable',
        `The connection "${name}" is not granted to the organization ${organizationId}.`,
      );
    return connection.open(this.#request, source, this.#signal);
  }

  /** The rows that at least one role allows. Without a role, there are none. */
  async #compileRoles(dataset: ResolvedDataset): Promise<Condition> {
    const { visibleRows, viewer } = this.#request;
    const lookUps = new Map<LookUp, readonly string[]>();
    await Promise.all(
      visibleRows
        .filter(isNotFlat)
        .flatMap(listLookUps)
        .map(async (lookUp) => {
          lookUps.set(lookUp, await this.#lookUp(lookUp));
        }),
    );
    const scope = { fields: dataset.fields, viewer, lookUps };
    const email = viewer.email[0] ?? '';
    const roles = visibleRows.map((rows) =>
      isNotFlat(rows) ? compileRole(scope, rows) : convertPredicate(dataset, rows, email),
    );
    return anyOf(roles);
  }

  async #lookUp(lookUp: LookUp): Promise<readonly string[]> {
    const { lookup: slug } = lookUp;
    const source = this.#lookedUp.get(slug) ?? this.#openLookedUp(slug);
    this.#lookedUp.set(slug, source);
    return readLookUp(await source, lookUp, this.#request.viewer);
  }

  async #openLookedUp(slug: string): Promise<LookUpSource> {
    const stored = await this.#request.findDataset(slug);
    if (!stored)
      throw new Error(`A role looks up values in the dataset "${slug}", which does not exist.`);
    return this.#open(stored);
  }

  /** Computes a tile. If only this tile fails, returns a `FailedTile`. */
  async #compute(context: TileContext, { tile, dataset }: ReadTile): Promise<Tile | FailedTile> {
    try {
      const computed = await computeTile({ ...context, dataset: dataset() }, tile);
      this.#charactersLeft -= JSON.stringify(computed).length;
      if (this.#charactersLeft < 0) throw new TileError({ code: 'too_much_data' });
      return computed;
    } catch (error) {
      if (this.#signal.aborted || (error instanceof ReportError && error.reason === 'overloaded'))
        throw error;
      if (!(error instanceof TileError)) this.#request.onTileFailure(error);
      return { ...describeTile(tile), failure: describeFailure(error) };
    }
  }
}

const isNotFlat = (rows: RoleRows): rows is RowPredicate | 'all' => rows === 'all' || !isFlat(rows);

const isFlat = (rows: RowPredicate | FlatPredicate): rows is FlatPredicate =>
  'column' in rows || 'all' in rows || 'any' in rows;

async function countRows({ rows, run }: TileContext): Promise<number> {
  const count: TypedExpression = {
    kind: 'call',
    function: 'count',
    type: 'integer',
    arguments: [],
  };
  const { groups } = await run({ rows, dimensions: [], metrics: [count], order: [] });
  return Number(groups[0]?.values[0] ?? 0);
}

/** Reasons that help a reader to decide what to do. */
const explained = ['out_of_memory', 'overflow', 'timeout', 'unavailable'] as const;

/** Describes a failure to the reader. The log has the details. */
function describeFailure(error: unknown): TileFailure {
  if (error instanceof TileError) return error.failure;
  const code = explained.find((reason) => error instanceof ReportError && error.reason === reason);
  return { code: code ?? 'failed' };
}
