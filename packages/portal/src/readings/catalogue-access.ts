import type { CatalogueAccess } from '#report-engine';

import { findDataset } from '../catalogue/store.ts';
import { listGranted } from '../connections/store.ts';
import type { SharedDatabase } from '../db/connection/open.ts';

/** What the report engine reads of the catalogue, in the turns of the organization. */
export const catalogueAccess = ({
  ofOrganization,
}: Pick<SharedDatabase, 'ofOrganization'>): CatalogueAccess => ({
  findDataset: (organizationId, slug) =>
    findDataset(ofOrganization(organizationId), organizationId, slug),
  isGranted: async (organizationId, name) =>
    (await listGranted(ofOrganization(organizationId), organizationId)).has(name),
});
