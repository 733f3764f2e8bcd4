import { isDeepStrictEqual } from 'node:util';

import type { CustomFilter } from '@portal-embed/contract';
import type { Report } from '@portal-embed/report-model';

import {
  UnknownTileError,
  type ComputedReport,
  type ExportedTile,
  type Held,
  type Opened,
  type Reading,
  type ReportPlatform,
  type Rows,
  type StoredDataset,
  type Tiles,
} from '#platform';
import type { FieldValues, ReaderView } from '#viewer/requests';

import { notAccessible } from '../access/refusals.ts';
import { findReportSource, type ReportSource } from '../access/report-source-store.ts';
import { findVisibleRows, type VisibleRows } from '../access/visible-rows.ts';
import type { Database } from '../db/connection/open.ts';
import type { Platforms } from '../platforms/registry.ts';
import {
  changing,
  explainFailure,
  explainRefusal,
  platformMissing,
  withoutAttachments,
  type Audience,
} from './failures.ts';
import { openInTime } from './open-in-time.ts';

/** The report that an error is about. */
export interface FailedReport {
  organizationId: string;
  /** `undefined` for one that is not saved. */
  reportId: string | undefined;
  /** Name of its platform. */
  platform: string;
}

/** What a reading needs, and how long it lasts. */
export interface ReadingScope {
  db: Database;
  platforms: Pick<Platforms, 'find' | 'authored'>;
  /** Called with the error of what could not be computed; the reader gets no details. */
  onFailure: (error: unknown, about?: FailedReport) => void;
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

/** One report as one reader sees it. Each method throws the error for its reader. */
export class OpenReading {
  readonly #scope: Omit<ReadingScope, 'onFailure'> & { onFailure: (error: unknown) => void };
  readonly #platform: ReportPlatform;
  readonly #reading: Reading;
  readonly #audience: Audience;

  constructor(scope: ReadingScope, platform: ReportPlatform, reading: Reading, audience: Audience) {
    const { organizationId, report } = reading;
    const about = { organizationId, reportId: report.id, platform: platform.name };
    const onFailure = (error: unknown) => scope.onFailure(withoutAttachments(error), about);
    this.#scope = { ...scope, onFailure };
    this.#platform = platform;
    this.#reading = reading;
    this.#audience = audience;
  }

  get platform(): Pick<ReportPlatform, 'name' | 'label'> {
    return this.#platform;
  }

  /** Whether rows depend on roles, and the names of those that the reader holds. */
  get rows(): { rowAccess: Rows['access']; roles: string[] } {
    const { rows } = this.#reading;
    const roles = rows.access === 'everyone' ? [] : rows.roles.map(({ name }) => name);
    return { rowAccess: rows.access, roles };
  }

  get purpose(): Reading['purpose'] {
    return this.#reading.purpose;
  }

  /**
   * Opens the report: its tiles, another product's frame, or no rows.
   *
   * @param held the frame that the reader's page shows already
   */
  async open(held?: Held): Promise<Exclude<Opened, { kind: 'refused' }> | { kind: 'no-rows' }> {
    const { onFailure: onTileFailure, signal } = this.#scope;
    const opened = await this.explain(
      openInTime(this.#platform, this.#reading, { held, onTileFailure, signal }),
    );
    if (opened.kind !== 'refused') return opened;
    if (opened.reason === 'no-role') return { kind: 'no-rows' };
    throw explainRefusal(this.#scope, opened, this.#audience);
  }

  /** Computes a page of a report that consists of tiles. */
  async page({ page = 0, view }: PageRequest): Promise<ComputedReport> {
    const tiles = await this.#openTiles();
    return this.computePage(tiles, { page, view });
  }

  /** Computes a page of opened tiles. */
  computePage(tiles: Tiles, { page = 0, view }: PageRequest): Promise<ComputedReport> {
    return this.explain(tiles.page({ page, view }));
  }

  /** Lists the values of a field that the reader can filter by. */
  async values({
    page = 0,
    view,
    field,
    search,
  }: PageRequest & { field: string; search?: string | undefined }): Promise<FieldValues> {
    const { values } = await this.#openTiles();
    if (!values) return { values: [], valueCount: 0 };
    return this.explain(values({ page, view, field, search }));
  }

  /** Exports all groups of a tile. Their rows can be read once. */
  async exportRows({
    page = 0,
    view,
    tile,
  }: PageRequest & { tile: string }): Promise<ExportedTile> {
    const tiles = await this.#openTiles();
    if (!tiles.export) throw this.#hasNoTiles();
    return this.explain(tiles.export({ page, view, tile }));
  }

  /** Waits for a computation of this report, and logs its error with the ids of the report. */
  async explain<Result>(computing: Promise<Result>): Promise<Result> {
    return computing.catch((error: unknown) => {
      throw explainFailure(this.#scope, error, this.#audience);
    });
  }

  async #openTiles(): Promise<Tiles> {
    const opened = await this.open();
    if (opened.kind === 'tiles') return opened;
    throw this.#hasNoTiles();
  }

  #hasNoTiles() {
    const error = new UnknownTileError('The report has no tile that can be read.');
    return explainFailure(this.#scope, error, this.#audience);
  }
}

/** Limits a reading to the rows that its reader may see. */
const limitTo = ({
  rows,
  email,
  hasEmailTwin,
  department,
  groups,
  companies,
}: VisibleRows): Pick<Reading, 'rows' | 'reader'> => ({
  rows,
  reader: { email: [email], hasEmailTwin, department: [department], groups, companies },
});

/** How a report of the catalogue is read. */
export interface ReadingOptions<Admitted extends { id: string }> {
  /** Filters that the reader cannot change. */
  filters: readonly CustomFilter[];
  purpose: 'read' | 'view-as';
  /**
   * Checks that the reader may open the report, and records the opening if one is due. Both must be one
   * statement, so that access cannot end in between.
   */
  admit: (isOpening: boolean) => Promise<Admitted>;
  /**
   * What the caller's statement has just read of the report, after the checks and records of `admit`.
   * Default: `openReading` calls `admit` and reads.
   */
  opened?: { report: Admitted; source: ReportSource } | undefined;
}

/**
 * Opens a report of the catalogue. Access, content and the reader's roles are read once.
 *
 * @param intent whether the reader opens the report, as opposed to refreshing it
 * @throws what `admit` throws; `report_not_accessible` if the report has just been archived;
 *   `report_failed` if the platform of the report is not set up
 */
export async function openReading<Admitted extends { id: string }>(
  scope: ReadingScope,
  { organizationId, userId }: User,
  { filters, purpose, opened, admit }: ReadingOptions<Admitted>,
  intent: 'open' | 'refresh',
): Promise<{ report: Admitted; reading: OpenReading; confirm: () => Promise<void> }> {
  const report = opened?.report ?? (await admit(intent === 'open'));
  const reader = { organizationId, userId, reportId: report.id };
  const source = opened?.source ?? (await findReportSource(scope.db, reader));
  if (!source) throw notAccessible();
  const platform = scope.platforms.find(source.platform);
  if (!platform) {
    const about = { organizationId, reportId: report.id, platform: source.platform };
    throw platformMissing((error) => scope.onFailure(error, about), source.platform);
  }
  const reading = new OpenReading(
    scope,
    platform,
    {
      organizationId,
      queue: userId,
      report: { id: report.id, source: source.source },
      dataset: source.dataset,
      filters: [filters],
      unappliedFilters: source.unappliedFilters,
      purpose,
      ...limitTo(source.visible),
    },
    'reader',
  );
  return { report, reading, confirm };

  /** Checks that access and rows are still the same, before each part of a long answer. */
  async function confirm(): Promise<void> {
    await admit(false);
    const now = await findReportSource(scope.db, reader);
    if (!now) throw notAccessible();
    if (!isDeepStrictEqual(now.visible, source?.visible)) throw changing();
  }
}

/** A report that is not saved, over a dataset of the catalogue. */
interface Draft {
  dataset: StoredDataset & { id: string; version: number };
  definition: Report;
}

const draftReading = (
  { organizationId, userId }: User,
  { dataset, definition }: { dataset: StoredDataset; definition: Report },
): Omit<Reading, 'rows' | 'reader'> => ({
  organizationId,
  queue: userId,
  dataset,
  report: { source: definition },
  filters: [],
  unappliedFilters: 'note',
  purpose: 'draft',
});

/** Whose rows a report that is not saved shows: those of a user, or all. */
export type DraftReader = { userId: string } | 'all-rows';

/**
 * Opens a report that is not saved. Nothing is recorded.
 *
 * @param author whose turns the queries take
 * @throws `overloaded` if the dataset has changed since `draft` was read
 */
export async function openDraft(
  scope: ReadingScope,
  author: User,
  reader: DraftReader,
  draft: Draft,
): Promise<OpenReading> {
  const visible = await findVisibleRows(scope.db, {
    organizationId: author.organizationId,
    userId: reader === 'all-rows' ? null : reader.userId,
    datasetId: draft.dataset.id,
  });
  if (visible?.version !== draft.dataset.version) throw changing();
  const limits = reader === 'all-rows' ? allRows : limitTo(visible);
  const reading = { ...draftReading(author, draft), ...limits };
  return new OpenReading(scope, scope.platforms.authored, reading, 'author');
}

/**
 * Opens a report that is not saved with rows that are not those of the user's saved roles. The caller
 * must be an administrator. Nothing is recorded.
 *
 * @param visible what is known about the user
 */
export const openDraftRows = (
  scope: ReadingScope,
  author: User,
  visible: VisibleRows,
  rows: Rows,
  draft: Draft,
): OpenReading =>
  new OpenReading(
    scope,
    scope.platforms.authored,
    { ...draftReading(author, draft), ...limitTo(visible), rows },
    'author',
  );

const allRows: Pick<Reading, 'rows' | 'reader'> = {
  rows: { access: 'everyone' },
  reader: { email: [], department: [], groups: [], companies: [] },
};

/**
 * Opens a report over a file that is not a dataset yet, with all of its rows, for the administrator
 * who sent it. Nothing is recorded.
 */
export const openFile = (
  scope: ReadingScope,
  author: User,
  file: { dataset: StoredDataset; definition: Report },
): OpenReading =>
  new OpenReading(
    scope,
    scope.platforms.authored,
    { ...draftReading(author, file), ...allRows },
    'author',
  );
