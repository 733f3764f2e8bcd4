import { isDeepStrictEqual } from 'node:util';

import { datasetSchema, reportSchema, type Dataset, type Role } from '@portal-embed/report-model';

import type { DefinitionMistake, RoleTrial, TriedMetric } from '#admin/requests';
import type { ComputedReport, Rows } from '#platform';
import type { FieldValues } from '#viewer/requests';

import { findVisibleRows, type VisibleRows } from '../access/visible-rows.ts';
import type { Context } from '../actor/actor.ts';
import { requireAdministrator } from '../actor/permissions.ts';
import { readAuthoring, type Authoring } from '../catalogue/authoring.ts';
import { ownerOf, workHere } from '../content/content-processes.ts';
import { requireAuthoredDataset } from '../content/datasets.ts';
import { findReader, type DefinedDataset } from '../content/definitions-store.ts';
import { checkDefinition } from '../content/definitions.ts';
import { presentMistake } from '../content/present-mistake.ts';
import type { ContentServices } from '../content/service.ts';
import { PortalError } from '../errors.ts';
import { openDraft, openDraftRows } from '../readings/reading.ts';
import { openDraftAs, type PreviewServices } from './preview.ts';

/** What tries a definition that is not saved: it is checked like a save, and computed like a preview. */
export interface TrialServices {
  content: ContentServices;
  preview: PreviewServices;
}

/** The text of a dataset that is not saved. */
interface TrialInput {
  datasetId: string;
  text: string;
}

interface Trial {
  mistakes: DefinitionMistake[];
  /** With the definition of the text. Absent if the text has a mistake. */
  dataset?: Pick<DefinedDataset, 'id' | 'name' | 'source' | 'timeZone' | 'version'>;
  definition?: Dataset;
}

/** Tiles in a row. A row has twelve columns. */
const tilesInRow = 12;

/**
 * Computes metrics of a text that is not saved over all rows of today. Nothing is written.
 *
 * @param input.metrics names; those that the text does not define are left out
 * @throws `missing_permission`; `not_found`; `invalid_request` if the text names another source
 */
export async function tryMetrics(
  ctx: Context,
  scope: TrialServices,
  input: TrialInput & { metrics: readonly string[] },
): Promise<{ mistakes: DefinitionMistake[]; metrics: TriedMetric[] }> {
  const { mistakes, dataset, definition } = await openTrial(ctx, scope, input);
  const known = new Set(definition?.metrics.map(({ name }) => name));
  const names = input.metrics.filter((name) => known.has(name));
  if (!dataset || names.length === 0) return { mistakes, metrics: [] };
  const rows: object[] = [];
  for (let start = 0; start < names.length; start += tilesInRow) {
    const tiles = names.slice(start, start + tilesInRow);
    rows.push({ tiles: tiles.map((metric) => ({ type: 'kpi', metric })) });
  }
  const draft = { dataset, definition: trialReport({ rows }) };
  const reading = await openDraft(
    { ...scope.preview, db: ctx.db },
    ownerOf(ctx),
    'all-rows',
    draft,
  );
  const { page } = await reading.page({});
  return { mistakes, metrics: presentMetrics(names, page.rows.flat()) };
}

const presentMetrics = (
  names: readonly string[],
  tiles: ComputedReport['page']['rows'][number],
): TriedMetric[] =>
  names.map((name, index) => {
    const tile = tiles[index];
    return tile && 'value' in tile
      ? { name, value: tile.value, format: tile.metric.format, failure: null }
      : {
          name,
          value: null,
          format: null,
          failure: tile && 'failure' in tile ? tile.failure.code : 'failed',
        };
  });

/**
 * Counts the rows that users would see by a role of a text that is not saved, and in all. The role stays
 * as it is for readers. Nothing is written.
 *
 * @param input.userIds users that do not exist are left out
 * @throws as `tryMetrics`
 */
export async function tryRole(
  ctx: Context,
  scope: TrialServices,
  input: TrialInput & { role: string; userIds: readonly string[] },
): Promise<RoleTrial> {
  const { mistakes, dataset, definition } = await openTrial(ctx, scope, input);
  const role = definition?.roles.find(({ name }) => name === input.role);
  if (!dataset || !definition || !role) return { mistakes, rowCount: null, readers: [] };
  const draft = { dataset, definition: trialReport({}) };
  const { db, organizationId } = ctx;
  const readingScope = { ...scope.preview, db };
  const owner = ownerOf(ctx);
  const all = await openDraft(readingScope, owner, 'all-rows', draft);
  const { rowCount } = await all.page({});
  const readers: RoleTrial['readers'] = [];
  // One user after another, so that a trial takes few of the author's turns at once.
  for (const userId of new Set(input.userIds)) {
    const reader = { organizationId, userId, datasetId: dataset.id };
    const user = await findReader(db, organizationId, userId);
    const visible = user && (await findVisibleRows(db, reader));
    if (!visible) continue;
    const count = async (rows: Rows) => {
      const reading = openDraftRows(readingScope, owner, visible, rows, draft);
      return (await reading.page({})).rowCount;
    };
    readers.push({
      id: userId,
      name: user.name,
      holdsRole: holds(visible, role.name),
      roleRows: await count(toRows([role])),
      rows: await count(findRowsAfter(definition, visible)),
    });
  }
  return { mistakes, rowCount, readers };
}

const toRows = (roles: readonly Role[]): Rows => ({
  access: 'by-role',
  roles: roles.map(({ name, rows }) => ({ name, definition: rows })),
});

const holds = ({ rows }: VisibleRows, role: string): boolean =>
  rows.access === 'by-role' && rows.roles.some(({ name }) => name === role);

/** The rows of a user after the definition is saved: roles keep their holders by their names. */
const findRowsAfter = ({ rowAccess, roles }: Dataset, visible: VisibleRows): Rows =>
  rowAccess === 'everyone' && roles.length === 0
    ? { access: 'everyone' }
    : toRows(roles.filter(({ name }) => holds(visible, name)));

/**
 * Lists values of a field of a saved dataset with their rows, all of them counted.
 *
 * @throws `missing_permission`; `dataset_not_found`; `invalid_request` if the dataset lacks the field
 */
export async function findFieldValues(
  ctx: Context,
  scope: TrialServices['preview'],
  { datasetId, field, search }: { datasetId: string; field: string; search: string },
): Promise<FieldValues> {
  requireAdministrator(ctx);
  const authoring = await readAuthoring(ctx);
  const dataset = await requireAuthoredDataset(ctx, authoring, datasetId);
  const { fields } = datasetSchema.parse(dataset.source.definition);
  if (![...dataset.source.columns, ...fields].some(({ name }) => name === field))
    throw new PortalError(
      'invalid_request',
      `The dataset has no field "${field}". Choose one of its fields.`,
    );
  const definition = trialReport({ filters: [{ field }] });
  const reading = await openDraftAs(ctx, scope, authoring, undefined, { dataset, definition });
  return reading.values({ field, search });
}

/** Checks a text like a save. Mistakes in other files do not prevent a trial. */
async function openTrial(
  ctx: Context,
  { content }: TrialServices,
  { datasetId: id, text }: TrialInput,
): Promise<Trial> {
  requireAdministrator(ctx);
  const authoring = await readAuthoring(ctx);
  const { file, mistakes } = await checkDefinition(ctx, content, { kind: 'dataset', id, text });
  const presented = mistakes.map(presentMistake(file));
  if (mistakes.some((mistake) => mistake.file === file)) return { mistakes: presented };
  const { worker = workHere, signal } = content;
  const { item } = await worker.run(ctx, 'parse', { file, text }, signal);
  if (item?.kind !== 'dataset') return { mistakes: presented };
  const { definition } = item;
  const dataset = await requireSameSource(ctx, authoring, id, definition);
  return {
    mistakes: presented,
    dataset: { ...dataset, source: { ...dataset.source, definition } },
    definition,
  };
}

/** Only the data of the saved source is known. */
async function requireSameSource(
  ctx: Context,
  authoring: Authoring,
  id: string,
  definition: Dataset,
) {
  const dataset = await requireAuthoredDataset(ctx, authoring, id);
  const { source } = dataset.source.definition as Dataset;
  if (isDeepStrictEqual(datasetSchema.shape.source.parse(source), definition.source))
    return dataset;
  throw new PortalError(
    'invalid_request',
    'The source of the dataset has changed and is not saved. Save it first, then try metrics and roles.',
  );
}

/** A report that computes only what is asked, and the number of rows. */
const trialReport = ({ rows, filters = [] }: { rows?: object[]; filters?: object[] }) =>
  reportSchema.parse({
    name: 'Trial',
    workspace: 'Trial',
    dataset: 'trial',
    filters,
    pages: [{ name: 'Trial', rows: rows ?? [{ tiles: [{ type: 'text', text: 'Trial' }] }] }],
  });
