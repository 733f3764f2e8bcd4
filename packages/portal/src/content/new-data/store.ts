import type { FileDatasetSource, Role } from '@portal-embed/report-model';
import { sql, type NotNull } from 'kysely';

import type { Database } from '../../db/connection/open.ts';

/** A dataset whose rows are in files. */
export interface FileDataset {
  id: string;
  name: string;
  slug: string;
  version: number;
  source: FileDatasetSource;
}

/** Lists the datasets of the organization whose rows are in files, except archived ones. */
export async function listFileDatasets(
  db: Database,
  organizationId: string,
): Promise<FileDataset[]> {
  return db
    .selectFrom('datasets')
    .where('organization_id', '=', organizationId)
    .where('archived_at', 'is', null)
    .where('slug', 'is not', null)
    .where(sql<boolean>`source #>> '{definition,source,connection}' IS NULL`)
    .select(['id', 'name', 'slug', 'version'])
    .select(sql<FileDatasetSource>`source #> '{definition,source}'`.as('source'))
    .$narrowType<{ slug: NotNull }>()
    .orderBy('slug')
    .execute();
}

/** A role with a look-up in some dataset. */
export interface LookUpRole {
  /** Slug of the dataset of the role. */
  dataset: string;
  role: string;
  rows: Role['rows'];
}

/** Lists the roles of the organization that look up values. */
export async function listLookUpRoles(db: Database, organizationId: string): Promise<LookUpRole[]> {
  const rows = await db
    .selectFrom('rls_roles')
    .innerJoin('datasets', (join) =>
      join
        .onRef('datasets.organization_id', '=', 'rls_roles.organization_id')
        .onRef('datasets.id', '=', 'rls_roles.dataset_id'),
    )
    .where('rls_roles.organization_id', '=', organizationId)
    .where('datasets.archived_at', 'is', null)
    .where('datasets.slug', 'is not', null)
    .where(sql<boolean>`predicate::text LIKE '%"lookup"%'`)
    .select(['datasets.slug', 'rls_roles.name', 'predicate'])
    .$narrowType<{ slug: NotNull }>()
    .orderBy('datasets.slug')
    .orderBy('rls_roles.name')
    .execute();
  return rows.map(({ slug, name, predicate }) => ({
    dataset: slug,
    role: name,
    rows: predicate as Role['rows'],
  }));
}

/** The version of a dataset; `undefined` if it does not exist. */
export async function findVersion(
  db: Database,
  organizationId: string,
  datasetId: string,
): Promise<number | undefined> {
  const found = await db
    .selectFrom('datasets')
    .where('organization_id', '=', organizationId)
    .where('id', '=', datasetId)
    .select('version')
    .executeTakeFirst();
  return found?.version;
}
