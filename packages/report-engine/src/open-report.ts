import type {
  LookUp,
  Match,
  ResolvedDataset,
  ResolvedPage,
  ResolvedReport,
  ReaderView,
  RoleText,
} from '@portal-embed/report-model';

import { ReportError, UnappliedFiltersError, type StoredDataset } from '#platform';

import type { QueryCache } from './cache/query-cache.ts';
import type { CatalogueAccess } from './catalogue-access.ts';
import type { Connections } from './connections/connections.ts';
import { readDataset, readStoredReport, filesOf, readSource } from './content.ts';
import type { Datasets } from './files/datasets.ts';
import { allRows, anyOf } from './plan/compare.ts';
import { compileFilters, listDefaults, readFilters, type FieldFilter } from './plan/filters.ts';
import { readLookUp, type LookUpSource } from './plan/look-ups.ts';
import {
  rowCount,
  type Condition,
  type PlanResult,
  type QueryPlan,
  type Rows,
} from './plan/plan.ts';
import { compileRole, listLookUps } from './plan/roles.ts';
import { readDataAsOf } from './plan/time.ts';
import { describeRole } from './reader/describe-roles.ts';
import { readView, type ReaderFieldFilter, type ReadView } from './reader/read-view.ts';
import type { ReportRequest, RoleRows } from './request.ts';
import { hasRoundedFields } from './rounded-roles.ts';
import type { Slices } from './slices.ts';
import { answerPlans, ordersOf, typesOf, type Source } from './source.ts';

/** Shared by all reports of a platform. */
export interface Scope extends CatalogueAccess {
  datasets: Datasets;
  connections: Connections | undefined;
  cache: QueryCache;
  /** Keeps nothing: an export would push out the results of reports. */
  uncached: QueryCache;
  slices: Slices;
  now: () => Date;
}

/** A page of a report for one reader, before its tiles are computed. */
export interface OpenReport {
  dataset: ResolvedDataset;
  report: ResolvedReport;
  page: ResolvedPage & { index: number };
  view: ReadView;
  /** Keys of filters that match no column. */
  unapplied: string[];
  /** What each of the reader's roles allows. */
  roleTexts: RoleText[];
  hostFilters: readonly FieldFilter[];
  /** The reader's filters, and the defaults that no other filter replaces. */
  readerFilters: readonly ReaderFieldFilter[];
  /** The rows that the reader's roles allow and that match the filters. */
  rowsFor: (filters: readonly FieldFilter[]) => Rows;
  /** Whether the reader's roles allow any row. Other readers must not learn how recent the data is. */
  seesRows: () => Promise<boolean>;
  dataAsOf: string | undefined;
  run: (plan: QueryPlan) => Promise<PlanResult>;
  /** For results that are too large to be kept. */
  runUncached: (plan: QueryPlan) => Promise<PlanResult>;
}

const emptyView: ReaderView = { filters: [], sorts: [], drills: [] };

/** Opens a page of a report, with its rows as the reader sees them. */
export const openReport = (scope: Scope, request: ReportRequest, signal: AbortSignal) =>
  new Opening(scope, request, signal).open();

class Opening {
  readonly #scope: Scope;
  readonly #request: ReportRequest;
  readonly #signal: AbortSignal;
  /** Datasets in which roles look up values, by their slugs. */
  readonly #lookedUp = new Map<string, Promise<LookUpSource>>();

  constructor(scope: Scope, request: ReportRequest, signal: AbortSignal) {
    this.#scope = scope;
    this.#request = request;
    this.#signal = signal;
  }

  async open(): Promise<OpenReport> {
    const request = this.#request;
    const { dataset, run, runUncached } = await this.#open(request.dataset);
    await this.#nextSlice();
    const report = readStoredReport(request.source, dataset);
    const { filters: hostFilters, unapplied } = readFilters(dataset, request.filters);
    if (request.unappliedFilters === 'refuse' && unapplied.length > 0)
      throw new UnappliedFiltersError(unapplied);
    const visibleRows = await this.#compileRoles(dataset);
    const dataAsOf = await readDataAsOf(dataset, run, this.#scope.now());
    const index = report.pages[request.page] ? request.page : 0;
    const page = { ...(report.pages[index] ?? { name: '', rows: [] }), index };
    const view = readView(dataset, report, request.view ?? emptyView, dataAsOf);
    const chosen = view.filters.filter(({ tile }) => tile === undefined);
    const defaults = listDefaults(report.filters, [...hostFilters, ...chosen], dataAsOf);
    const tiles = new Set(page.rows.flatMap((row) => row.tiles.map(({ id }) => id)));
    return {
      dataset,
      report,
      page,
      view,
      unapplied,
      roleTexts: await this.#describeRoles(dataset),
      hostFilters,
      readerFilters: [
        ...readFilters(dataset, [defaults]).filters,
        ...chosen.filter(({ values, hasBlank }) => values.length > 0 || hasBlank),
        ...view.filters.filter(
          ({ tile, allPages }) => tile !== undefined && (tiles.has(tile) || allPages),
        ),
      ],
      rowsFor: (filters) => ({ visible: visibleRows, chosen: compileFilters(filters) }),
      seesRows: once(() => hasRows(visibleRows, run)),
      dataAsOf,
      run,
      runUncached,
    };
  }

  readonly #nextSlice = () => this.#scope.slices.next(this.#request, this.#signal);

  async #open(stored: StoredDataset) {
    const source = await this.#openSource(stored);
    const dataset = await readDataset(stored, typesOf(source), this.#nextSlice, ordersOf(source));
    const { cache, uncached, now } = this.#scope;
    const answer = (from: QueryCache) =>
      answerPlans(
        async (statement) => {
          await this.#nextSlice();
          const rows = await from.query(this.#request, source, statement, this.#signal);
          await this.#nextSlice();
          return rows;
        },
        source,
        dataset.timeZone,
        now(),
      );
    return { dataset, run: answer(cache), runUncached: answer(uncached) };
  }

  async #openSource(stored: StoredDataset): Promise<Source> {
    const source = readSource(stored);
    const { datasets, connections, isGranted } = this.#scope;
    const { organizationId } = this.#request;
    if (!('connection' in source))
      return datasets.open(this.#request, filesOf(stored), this.#signal);
    const name = source.connection;
    const connection = connections?.get(name);
    if (!connection)
      throw new ReportError('unavailable', `The connection "${name}" is not configured.`);
    if (!(await isGranted(organizationId, name)))
      throw new ReportError(
        'unavailable',
        `The connection "${name}" is not granted to the organization ${organizationId}.`,
      );
    return connection.open(this.#request, source, this.#signal);
  }

  /** The rows that at least one role allows. Without a role, there are none. */
  async #compileRoles(dataset: ResolvedDataset): Promise<Condition> {
    const { viewer } = this.#request;
    const visibleRows = await this.#listExact(dataset);
    const lookUps = new Map<LookUp | Match, readonly (readonly string[])[]>();
    await Promise.all(
      visibleRows.flatMap(listLookUps).map(async (lookUp) => {
        lookUps.set(lookUp, await this.#lookUp(lookUp));
      }),
    );
    const scope = { fields: dataset.fields, viewer, lookUps };
    return anyOf(visibleRows.map((rows) => compileRole(scope, rows)));
  }

  /** The roles that do not compare rounded numbers. The others would show rows of other readers. */
  async #listExact(dataset: ResolvedDataset): Promise<RoleRows[]> {
    const exact: RoleRows[] = [];
    for (const rows of this.#request.visibleRows) {
      const lookedUp = new Map<string, ResolvedDataset>();
      for (const { lookup } of listLookUps(rows))
        lookedUp.set(lookup, (await this.#openOnce(lookup)).dataset);
      if (!hasRoundedFields(rows, dataset, lookedUp)) exact.push(rows);
    }
    return exact;
  }

  async #describeRoles({ fields }: ResolvedDataset): Promise<RoleText[]> {
    const names = new Map<string, string>();
    for (const [slug, source] of this.#lookedUp) names.set(slug, (await source).dataset.name);
    const nameOf = (slug: string) => names.get(slug) ?? slug;
    return this.#request.visibleRows.map((rows) => describeRole({ fields, nameOf }, rows));
  }

  async #lookUp(lookUp: LookUp | Match): Promise<readonly (readonly string[])[]> {
    return readLookUp(await this.#openOnce(lookUp.lookup), lookUp, this.#request.viewer);
  }

  #openOnce(slug: string): Promise<LookUpSource> {
    const source = this.#lookedUp.get(slug) ?? this.#openLookedUp(slug);
    this.#lookedUp.set(slug, source);
    return source;
  }

  async #openLookedUp(slug: string): Promise<LookUpSource> {
    const stored = await this.#scope.findDataset(this.#request.organizationId, slug);
    if (!stored)
      throw new Error(`A role looks up values in the dataset "${slug}", which does not exist.`);
    return this.#open(stored);
  }
}

/** Calls a function at most once. */
function once<Result>(call: () => Result): () => Result {
  let known: { result: Result } | undefined;
  return () => (known ??= { result: call() }).result;
}

async function hasRows(visible: Condition, run: OpenReport['run']): Promise<boolean> {
  if (visible.kind === 'every') return true;
  return (await countRows({ ...allRows, visible }, run)) > 0;
}

/** Counts the rows of a plan. */
export async function countRows(rows: Rows, run: OpenReport['run']): Promise<number> {
  const { groups } = await run({ rows, dimensions: [], metrics: [rowCount], order: [] });
  return Number(groups[0]?.values[0] ?? 0);
}
