import { listRoundedFields, type FieldType, type Role } from '@portal-embed/report-model';
import { sql, type NotNull } from 'kysely';
import type { Logger } from 'pino';

import { listLookUps } from '#report-engine';

import type { Database } from '../db/connection/open.ts';
import { workHere, type ContentWorker } from './content-processes.ts';
import { findDefinedDataset } from './definitions-store.ts';

/** A stored role that gives no rows, because it compares numbers that a double rounds. */
export interface RoundedRole {
  organizationId: string;
  datasetId: string;
  /** Slug of the dataset. */
  dataset: string;
  role: string;
  field: string;
}

const listComparingRoles = (db: Database) =>
  db
    .selectFrom('rls_roles')
    .innerJoin('datasets', (join) =>
      join
        .onRef('datasets.organization_id', '=', 'rls_roles.organization_id')
        .onRef('datasets.id', '=', 'rls_roles.dataset_id'),
    )
    .where('datasets.archived_at', 'is', null)
    .where('datasets.slug', 'is not', null)
    .where(sql<boolean>`predicate::text ~ '"(in|notIn|equals|matches)"'`)
    .select(['rls_roles.organization_id', 'rls_roles.dataset_id', 'rls_roles.name'])
    .select(['predicate', 'datasets.slug'])
    .$narrowType<{ slug: NotNull }>()
    .orderBy('rls_roles.organization_id')
    .orderBy('rls_roles.dataset_id')
    .orderBy('rls_roles.name');

interface Scope {
  db: Database;
  worker?: ContentWorker | undefined;
  signal?: AbortSignal | undefined;
}

/** Lists them of all organizations, or of one dataset. */
export async function listRoundedRoles(
  scope: Scope,
  only?: { organizationId: string; datasetId: string },
): Promise<RoundedRole[]> {
  let roles = listComparingRoles(scope.db);
  if (only)
    roles = roles
      .where('rls_roles.organization_id', '=', only.organizationId)
      .where('rls_roles.dataset_id', '=', only.datasetId);
  const found: RoundedRole[] = [];
  let datasets: OrganizationDatasets | undefined;
  for (const { organization_id: organizationId, ...row } of await roles.execute()) {
    if (datasets?.organizationId !== organizationId)
      datasets = new OrganizationDatasets(scope, organizationId);
    const { dataset_id: datasetId, name: role, slug: dataset } = row;
    const field = await datasets.findRounded(datasetId, row.predicate as Role['rows']);
    if (field !== undefined) found.push({ organizationId, datasetId, dataset, role, field });
  }
  return found;
}

/** Takes turns with the authors of the organization. */
const portal = { kind: 'operator', name: 'portal' } as const;

/** The types of a dataset's fields; `undefined` for a dataset that does not exist. */
type Types = ReadonlyMap<string, FieldType> | undefined;

/** Reads and resolves each dataset of one organization on first use. */
class OrganizationDatasets {
  readonly organizationId: string;
  readonly #scope: Scope;
  readonly #types = new Map<string, Types>();

  constructor(scope: Scope, organizationId: string) {
    this.organizationId = organizationId;
    this.#scope = scope;
  }

  /** The first field of type `number` that a role compares for equality. */
  async findRounded(datasetId: string, rows: Role['rows']): Promise<string | undefined> {
    const own = await this.#read({ id: datasetId });
    const lookedUp = new Map<string, Types>();
    for (const { lookup: slug } of listLookUps(rows))
      lookedUp.set(slug, await this.#read({ slug }));
    const [first] = listRoundedFields(
      rows,
      (field) => own?.get(field),
      (slug, field) => lookedUp.get(slug)?.get(field),
    );
    return first?.field;
  }

  async #read(reference: { id: string } | { slug: string }): Promise<Types> {
    const key = JSON.stringify(reference);
    if (!this.#types.has(key)) this.#types.set(key, await this.#resolve(reference));
    return this.#types.get(key);
  }

  async #resolve(reference: { id: string } | { slug: string }): Promise<Types> {
    const { organizationId } = this;
    const { db, worker = workHere, signal } = this.#scope;
    const dataset = await findDefinedDataset(db, organizationId, null, reference);
    if (!dataset) return undefined;
    const author = { organizationId, actor: portal };
    const task = dataset.source;
    const { fields } = await worker.run(author, 'describeDataset', task, signal);
    return new Map(fields.map(({ name, type }) => [name, type]));
  }
}

/** Logs the stored roles that give no rows. */
export async function logRoundedRoles(scope: Scope, logger: Logger): Promise<void> {
  try {
    for (const role of await listRoundedRoles(scope))
      logger.warn(
        role,
        'role gives no rows, because it compares a field of type number; use a field of type text, integer or decimal, or between',
      );
  } catch (err) {
    logger.warn({ err }, 'checking the fields of roles failed');
  }
}
