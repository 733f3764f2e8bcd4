import { isDeepStrictEqual } from 'node:util';

import type { CustomFilter } from '@portal-embed/contract';
import type { Report } from '@portal-embed/report-model';

import type {
  ComputedReport,
  ExportedTile,
  ReportPlatform,
  ReportRequest,
  StoredDataset,
} from '#platform';
import type { FieldValues, ReaderView } from '#viewer/requests';

import { notAccessible } from '../access/refusals.ts';
import { findVisibleRows, UnreadableRoleError, type VisibleRows } from '../access/visible-rows.ts';
import { findDataset } from '../catalogue/store.ts';
import { listGranted } from '../connections/store.ts';
import type { Database } from '../db/connection/open.ts';
import { changing, explainFailure, type Audience } from './failures.ts';
import { readSource } from './source.ts';

/** What a reading needs, and how long it lasts. */
export interface ReadingScope {
  db: Database;
  platform: ReportPlatform;
  /** Called with the error of what could not be computed; the reader gets no details. */
  onFailure: (error: unknown) => void;
  /** Aborts when the reader has disconnected. */
  signal: AbortSignal;
}

/** A user of the organization, by id. */
interface User {
  organizationId: string;
  userId: string;
}

/** What varies while the report, its content and the reader's rows stay. */
interface PageRequest {
  /** Index of the page. An index without a page selects the first one. Default: the first one. */
  page?: number | undefined;
  /** What the reader has chosen. Default: nothing. */
  view?: ReaderView | undefined;
}

type Content = Pick<
  ReportRequest,
  'dataset' | 'platform' | 'source' | 'filters' | 'unappliedFilters'
>;

/** One report as one reader sees it. Each method throws the error for its reader. */
export class Reading {
  readonly rows: Pick<VisibleRows, 'rowAccess' | 'roles'>;
  readonly #scope: ReadingScope;
  readonly #request: Omit<ReportRequest, 'page' | 'view'>;
  readonly #audience: Audience;

  /** @param queue whose turns the queries take */
  constructor(
    scope: ReadingScope,
    queue: User,
    visible: VisibleRows,
    content: Content,
    audience: Audience,
  ) {
    this.rows = { rowAccess: visible.rowAccess, roles: visible.roles };
    this.#scope = scope;
    this.#request = createRequest(scope, queue, visible, content);
    this.#audience = audience;
  }

  /** Computes a page. */
  page({ page = 0, view }: PageRequest): Promise<ComputedReport> {
    const { platform } = this.#scope;
    return this.#explain(platform.compute({ ...this.#request, page, view }));
  }

  /** Lists the values of a field that the reader can filter by. */
  values({
    page = 0,
    view,
    field,
    search,
  }: PageRequest & { field: string; search?: string | undefined }): Promise<FieldValues> {
    const { platform } = this.#scope;
    return this.#explain(platform.listValues({ ...this.#request, page, view, field, search }));
  }

  /** Exports all groups of a tile. Their rows can be read once. */
  exportTile({ page = 0, view, tile }: PageRequest & { tile: string }): Promise<ExportedTile> {
    const { platform } = this.#scope;
    return this.#explain(platform.export({ ...this.#request, page, view, tile }));
  }

  async #explain<Result>(computing: Promise<Result>): Promise<Result> {
    return computing.catch((error: unknown) => {
      throw explainFailure(this.#scope, error, this.#audience);
    });
  }
}

/** Limits the computation of a report to the rows that its reader may see. */
const createRequest = (
  { db, onFailure, signal }: ReadingScope,
  { organizationId, userId }: User,
  visible: VisibleRows,
  content: Content,
): Omit<ReportRequest, 'page' | 'view'> => ({
  organizationId,
  userId,
  visibleRows: visible.rows,
  viewer: {
    email: [visible.email],
    hasEmailTwin: visible.hasEmailTwin,
    department: [visible.department],
    groups: visible.groups,
    companies: visible.companies,
  },
  isGranted: async (name) => (await listGranted(db, organizationId)).has(name),
  findDataset: (slug) => findDataset(db, organizationId, slug),
  onTileFailure: onFailure,
  signal,
  ...content,
});

/** A role that cannot be read is logged, and fails the report as its computation does. */
const throwExplained =
  (scope: ReadingScope, audience: Audience) =>
  (error: unknown): never => {
    throw error instanceof UnreadableRoleError ? explainFailure(scope, error, audience) : error;
  };

/** A report of the catalogue. */
export interface CatalogueReport<Admitted extends { id: string }> {
  /** Filters that the reader cannot change. */
  filters: readonly CustomFilter[];
  /**
   * Checks that the reader may open the report, and records it where that is due. Both are one statement,
   * which the session or the delivery brings.
   */
  admit: (isOpening: boolean) => Promise<Admitted>;
}

/**
 * Opens a report of the catalogue. Access, content and the reader's roles are read once.
 *
 * @param intent whether the reader opens the report, as opposed to refreshing it
 * @throws what `admit` throws; `overloaded` while the content changes
 */
export async function openReading<Admitted extends { id: string }>(
  scope: ReadingScope,
  reader: User,
  { filters, admit }: CatalogueReport<Admitted>,
  intent: 'open' | 'refresh',
): Promise<{ report: Admitted; reading: Reading; confirm: () => Promise<void> }> {
  const report = await admit(intent === 'open');
  const { source, visible } = await readSource(scope.db, reader, report.id).catch(
    throwExplained(scope, 'reader'),
  );
  const reading = new Reading(
    scope,
    reader,
    visible,
    {
      dataset: {
        name: source.dataset_name,
        source: source.dataset_source,
        timeZone: source.time_zone,
      },
      platform: source.platform,
      source: source.source,
      filters: [filters],
      unappliedFilters: source.unapplied_filters,
    },
    'reader',
  );
  return { report, reading, confirm };

  /** Checks that access and rows are still the same, before each part of a long answer. */
  async function confirm(): Promise<void> {
    await admit(false);
    const now = await readSource(scope.db, reader, report.id).catch(
      throwExplained(scope, 'reader'),
    );
    if (!isDeepStrictEqual(now.visible, visible)) throw notAccessible();
  }
}

/** A report that is not saved, over a dataset of the catalogue. */
interface Draft {
  dataset: StoredDataset & { id: string; version: number };
  definition: Report;
}

const draftContent = ({ dataset, definition }: { dataset: StoredDataset; definition: Report }) => ({
  dataset,
  platform: 'builtin' as const,
  source: definition,
  filters: [],
  unappliedFilters: 'note' as const,
});

/**
 * Opens a report that is not saved. Nothing is recorded.
 *
 * @param author whose turns the queries take
 * @param reader the user whose rows are shown; `nobody` for an operator, who is no user
 * @throws `overloaded` if the dataset has changed since `draft` was read
 */
export async function openDraft(
  scope: ReadingScope,
  author: User,
  reader: { userId: string } | 'nobody',
  draft: Draft,
): Promise<Reading> {
  const { organizationId } = author;
  const visible = await findVisibleRows(scope.db, {
    organizationId,
    userId: reader === 'nobody' ? null : reader.userId,
    datasetId: draft.dataset.id,
  }).catch(throwExplained(scope, 'author'));
  if (visible?.version !== draft.dataset.version) throw changing();
  return new Reading(scope, author, visible, draftContent(draft), 'author');
}

/**
 * Opens a report over a file that is not a dataset yet, with all of its rows, for the administrator
 * who sent it. Nothing is recorded.
 */
export const openFile = (
  scope: ReadingScope,
  author: User,
  file: { dataset: StoredDataset; definition: Report },
): Reading => new Reading(scope, author, everyRow, draftContent(file), 'author');

const everyRow: VisibleRows = {
  version: 0,
  rowAccess: 'everyone',
  roles: [],
  rows: ['all'],
  email: '',
  hasEmailTwin: false,
  department: '',
  groups: [],
  companies: [],
};
