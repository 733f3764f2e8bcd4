import type { PlatformDescription } from '#platform';

import type { Database } from '../db/connection/open.ts';
import { PortalError } from '../errors.ts';
import * as store from './apply-store.ts';
import { requireStorable } from './item-texts.ts';

export type {
  ArchivedBy,
  Authored,
  CatalogueDataset,
  CatalogueReport,
  CatalogueRole,
  ItemReference,
  RoleChanges,
} from './apply-store.ts';

/** Items of one platform that are new, changed, restored or gone. */
export interface CatalogueChanges {
  datasets?: readonly store.CatalogueDataset[];
  /** Each names a dataset of the catalogue or of these. */
  reports?: readonly store.CatalogueReport[];
  archived?: readonly store.ItemReference[];
  /** Default: it is not known. */
  archivedBy?: store.ArchivedBy | undefined;
  /** Archived items that are shown again, with the definition that they had. */
  restored?: readonly store.ItemReference[];
}

/**
 * Writes items of a platform to the catalogue, from content files or from the catalogue of another
 * product. Nothing else writes them. Runs in the transaction of the caller, who records the change.
 * Items keep their id and the links of users and groups.
 *
 * @returns the changes of roles by the id of their dataset
 * @throws `invalid_content` if the platform cannot read an item, the catalogue cannot store its id or
 *   texts, or an id is that of another platform's item
 */
export async function applyCatalogue(
  db: Database,
  organizationId: string,
  platform: PlatformDescription,
  { datasets = [], reports = [], archived = [], archivedBy, restored = [] }: CatalogueChanges,
): Promise<Map<string, store.RoleChanges>> {
  const { checkDataset, checkReport, checkRole } = platform.catalogue;
  const roles = new Map<string, store.RoleChanges>();
  for (const dataset of datasets) {
    const { id, name } = dataset;
    requireStorable('dataset', dataset);
    requireValid(`dataset "${name}"`, checkDataset(dataset.source));
    for (const role of dataset.roles)
      requireValid(`role "${role.name}" of "${name}"`, checkRole(role.name, role.definition));
    if (!(await store.saveDataset(db, organizationId, platform, dataset)))
      throw foreignId('dataset', id);
    roles.set(id, await store.saveRoles(db, organizationId, dataset));
  }
  for (const report of reports) requireStorable('report', report);
  const datasetIds = reports.map(({ datasetId }) => datasetId);
  const ownDatasets = await store.listOwnDatasets(db, organizationId, platform, datasetIds);
  for (const report of reports) {
    if (!ownDatasets.has(report.datasetId.toLowerCase())) throw foreignDataset(report);
    requireValid(`report "${report.name}"`, checkReport(report.source));
    if (!(await store.saveReport(db, organizationId, platform, report)))
      throw foreignId('report', report.id);
  }
  for (const item of archived) {
    requireStorable('archived item', item);
    if (!(await store.archive(db, organizationId, platform, item, archivedBy)))
      throw foreignId(item.kind, item.id);
  }
  for (const item of restored)
    if (!(await store.restore(db, organizationId, platform, item)))
      throw foreignId(item.kind, item.id);
  return roles;
}

function requireValid(item: string, [problem]: readonly string[]): void {
  if (problem !== undefined)
    throw new PortalError(
      'invalid_content',
      `Nothing was changed: the ${item} is not valid (${problem}).`,
    );
}

const foreignId = (kind: string, id: string) =>
  new PortalError(
    'invalid_content',
    `Nothing was changed: the id ${id} is that of a ${kind} of another platform. Use another id.`,
  );

const foreignDataset = ({ name, datasetId }: store.CatalogueReport) =>
  new PortalError(
    'invalid_content',
    `Nothing was changed: the report "${name}" is of the dataset ${datasetId}, which its platform does not have.`,
  );
