import { setMaxListeners } from 'node:events';

import type {
  FailedTile,
  ResolvedTile,
  Tile,
  TileFailure,
  FieldValues,
} from '@portal-embed/report-model';

import {
  ReportError,
  UnknownTileError,
  type ComputedReport,
  type ExportedTile,
  type ExportRequest,
  type ValuesRequest,
} from '#platform';
import { serializeTile } from '#platform';

import { countRows, openReport, type OpenReport, type Scope } from './open-report.ts';
import { chooseRows } from './plan/compare.ts';
import { listUnreadable, type FieldFilter } from './plan/filters.ts';
import type { Condition } from './plan/plan.ts';
import { searchDimensions } from './plan/search.ts';
import { findShownTimes, shiftFilters } from './plan/time.ts';
import { applyView, describeDrill } from './reader/apply-view.ts';
import { describeFilter, describeFilterField } from './reader/describe-filters.ts';
import { listDimensions } from './reader/levels.ts';
import { listValues } from './reader/list-values.ts';
import type { ReportRequest } from './request.ts';
import { describeTile, TileError, type TileContext } from './tiles/context.ts';
import { exportGroups } from './tiles/export.ts';
import { computeTile } from './tiles/registry.ts';

/** Characters of the tiles of one page, as JSON. */
const maxPageCharacters = 16_000_000;

/** Computes a page of a report. */
export const computeReport = (scope: Scope, request: ReportRequest): Promise<ComputedReport> =>
  withOpenReport(scope, request, computePage);

/** Lists the values of a field that the reader can filter by. */
export const listFieldValues = (
  scope: Scope,
  request: ReportRequest & ValuesRequest,
): Promise<FieldValues> => withOpenReport(scope, request, listValues);

/** Opens a report for a computation, which is over when one of its queries fails. */
async function withOpenReport<Result, Request extends ReportRequest>(
  scope: Scope,
  request: Request,
  compute: (open: OpenReport, request: Request, scope: Scope) => Promise<Result>,
): Promise<Result> {
  const failed = new AbortController();
  const signal = AbortSignal.any([request.signal, failed.signal]);
  // Each query of the report adds a listener.
  setMaxListeners(0, signal);
  try {
    const open = await openReport(scope, request, signal);
    return await compute(open, { ...request, signal }, scope);
  } finally {
    // After a failure, the report's other queries are not needed.
    failed.abort();
  }
}

async function computePage(
  open: OpenReport,
  request: ReportRequest,
  scope: Scope,
): Promise<ComputedReport> {
  const { dataset, report, page, readerFilters, dataAsOf } = open;
  const tiles = new Tiles(scope, open, request);
  const [count, ...rows] = await Promise.all([
    countRows(createContext(open, readerFilters).rows, open.run),
    ...page.rows.map((row) => Promise.all(row.tiles.map((tile) => tiles.compute(tile)))),
  ]);
  return {
    roleTexts: open.roleTexts,
    unappliedFilters: open.unapplied,
    unreadableFilters: listUnreadable(open.hostFilters),
    readerFilters: readerFilters.map(describeFilter),
    filterFields: report.filters.map((filter) => describeFilterField(dataset, filter)),
    rowCount: count,
    ...(dataAsOf !== undefined && (count > 0 || (await open.seesRows())) ? { dataAsOf } : {}),
    timeZone: dataset.timeZone,
    pages: report.pages.map(({ name }) => name),
    page: { name: page.name, rows, index: page.index },
  };
}

/** @param found the rows that the tile shows of those that match the filters. Default: all */
function createContext(
  open: OpenReport,
  filters: readonly FieldFilter[],
  found: Condition = { kind: 'every' },
): TileContext {
  const { dataset, hostFilters, rowsFor, seesRows, dataAsOf, run } = open;
  return {
    dataset,
    rows: chooseRows(rowsFor([...hostFilters, ...filters]), found),
    // The host may have locked its filters, so they apply to every number.
    rowsBefore: (span, period) =>
      rowsFor([...hostFilters, ...shiftFilters(dataset, filters, span, period)]),
    seesRows,
    dataAsOf,
    shown: findShownTimes(dataset, [...hostFilters, ...filters]),
    run,
  };
}

/** A tile as the reader has sorted, drilled and filtered it. */
function applyReader({ dataset, view, readerFilters }: OpenReport, stored: ResolvedTile) {
  const { id } = stored;
  const drill = view.drills.get(id);
  const filters = [
    ...readerFilters.filter((filter) => filter.tile !== id),
    ...(drill?.path.map(({ filter }) => filter) ?? []),
  ];
  const search = view.searches.get(id);
  const found =
    search === undefined ? undefined : searchDimensions(dataset, listDimensions(stored), search);
  return { tile: applyView(stored, view), drill, filters, found };
}

/** Exports a tile of a report, as the reader sees it. Its queries end with the request's signal. */
export async function computeExport(
  scope: Scope,
  request: ReportRequest & ExportRequest,
): Promise<ExportedTile> {
  setMaxListeners(0, request.signal);
  const open = await openReport(scope, request, request.signal);
  const tiles = open.page.rows.flatMap((row) => row.tiles);
  const found = tiles.find(({ id }) => id === request.tile);
  if (!found) throw new UnknownTileError(`The page has no tile "${request.tile}".`);
  const { tile, filters, found: rows } = applyReader(open, found);
  return exportGroups(createContext(open, filters, rows), tile, open.runUncached);
}

/** Computes the tiles of one page. */
class Tiles {
  readonly #scope: Scope;
  readonly #open: OpenReport;
  readonly #request: ReportRequest;
  #charactersLeft = maxPageCharacters;

  constructor(scope: Scope, open: OpenReport, request: ReportRequest) {
    this.#scope = scope;
    this.#open = open;
    this.#request = request;
  }

  /** Computes a tile. If only this tile fails, returns a `FailedTile`. */
  async compute(stored: ResolvedTile): Promise<Tile | FailedTile> {
    const { tile, drill, filters, found } = applyReader(this.#open, stored);
    const request = this.#request;
    const { slices } = this.#scope;
    try {
      await slices.next(request, request.signal);
      if (this.#charactersLeft < 0) throw tooMuchData();
      const computed = {
        ...(await computeTile(createContext(this.#open, filters, found), tile)),
        ...describeDrill(this.#open.dataset, stored, drill),
      };
      await slices.next(request, request.signal);
      this.#charactersLeft -= serializeTile(computed).length;
      if (this.#charactersLeft < 0) throw tooMuchData();
      return computed;
    } catch (error) {
      const { signal, onTileFailure } = request;
      // Another attempt computes the whole page.
      const isTemporary =
        error instanceof ReportError && ['overloaded', 'not_fetched'].includes(error.reason);
      if (signal.aborted || isTemporary) throw error;
      if (!(error instanceof TileError)) onTileFailure(error);
      return { ...describeTile(tile), failure: describeFailure(error) };
    }
  }
}

const tooMuchData = () => new TileError({ code: 'too_much_data' });

/** Reasons that help a reader to decide what to do. */
const explained = ['out_of_memory', 'overflow', 'timeout', 'unavailable'] as const;

/** Describes a failure to the reader. The log has the details. */
function describeFailure(error: unknown): TileFailure {
  if (error instanceof TileError) return error.failure;
  const code = explained.find((reason) => error instanceof ReportError && error.reason === reason);
  return { code: code ?? 'failed' };
}
