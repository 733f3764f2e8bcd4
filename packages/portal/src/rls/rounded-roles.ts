import { setImmediate } from 'node:timers/promises';

import {
  listRoundedFields,
  resolveDataset,
  type Dataset,
  type ResolvedDataset,
  type Role,
} from '@portal-embed/report-model';
import { sql } from 'kysely';
import type { Logger } from 'pino';

import { typesOf } from '../content/create-report.ts';
import { findDefinedDataset } from '../content/definitions-store.ts';
import type { Database } from '../db/connection/open.ts';
import { listLookUps } from '../platforms/builtin/plan/roles.ts';

/** A stored role that gives no rows, because it compares numbers that a double rounds. */
export interface RoundedRole {
  organizationId: string;
  datasetId: string;
  /** Slug of the dataset. */
  dataset: string | null;
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
    .where('datasets.definition', 'is not', null)
    .where(sql<boolean>`predicate::text ~ '"(in|notIn|equals)"'`)
    .select(['rls_roles.organization_id', 'rls_roles.dataset_id', 'rls_roles.name'])
    .select(['predicate', 'datasets.slug'])
    .orderBy('rls_roles.organization_id')
    .orderBy('rls_roles.dataset_id')
    .orderBy('rls_roles.name');

/** Lists them of all organizations, or of one dataset. */
export async function listRoundedRoles(
  db: Database,
  only?: { organizationId: string; datasetId: string },
): Promise<RoundedRole[]> {
  let roles = listComparingRoles(db);
  if (only)
    roles = roles
      .where('rls_roles.organization_id', '=', only.organizationId)
      .where('rls_roles.dataset_id', '=', only.datasetId);
  const found: RoundedRole[] = [];
  let datasets: OrganizationDatasets | undefined;
  for (const { organization_id: organizationId, ...row } of await roles.execute()) {
    // Resolving a large dataset takes a while, in which other requests wait.
    await setImmediate();
    if (datasets?.organizationId !== organizationId)
      datasets = new OrganizationDatasets(db, organizationId);
    const { dataset_id: datasetId, name: role, slug: dataset } = row;
    const field = await datasets.findRounded(datasetId, row.predicate as Role['rows']);
    if (field !== undefined) found.push({ organizationId, datasetId, dataset, role, field });
  }
  return found;
}

type Fields = ResolvedDataset['fields'] | undefined;

/** Reads and resolves each dataset of one organization on first use. */
class OrganizationDatasets {
  readonly organizationId: string;
  readonly #db: Database;
  readonly #fields = new Map<string, Fields>();

  constructor(db: Database, organizationId: string) {
    this.organizationId = organizationId;
    this.#db = db;
  }

  /** The first field of type `number` that a role compares for equality. */
  async findRounded(datasetId: string, rows: Role['rows']): Promise<string | undefined> {
    const own = await this.#read({ id: datasetId });
    const lookedUp = new Map<string, Fields>();
    for (const { lookup: slug } of listLookUps(rows))
      lookedUp.set(slug, await this.#read({ slug }));
    const [first] = listRoundedFields(
      rows,
      (field) => own?.get(field)?.type,
      (slug, field) => lookedUp.get(slug)?.get(field)?.type,
    );
    return first?.field;
  }

  async #read(reference: { id: string } | { slug: string }): Promise<Fields> {
    const key = JSON.stringify(reference);
    if (this.#fields.has(key)) return this.#fields.get(key);
    const dataset = await findDefinedDataset(this.#db, this.organizationId, null, reference);
    const fields =
      dataset && resolveDataset(dataset.definition as Dataset, typesOf(dataset)).draft.fields;
    this.#fields.set(key, fields);
    return fields;
  }
}

/** Logs the stored roles that give no rows. */
export async function logRoundedRoles(db: Database, logger: Logger): Promise<void> {
  try {
    for (const role of await listRoundedRoles(db))
      logger.warn(
        role,
        'role gives no rows, because it compares a field of type number; use a field of type text, integer or decimal, or between',
      );
  } catch (err) {
    logger.warn({ err }, 'checking the fields of roles failed');
  }
}
