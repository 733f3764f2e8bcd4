import type { LookUp } from '@portal-embed/report-model';

import type { StoredDataset } from '#platform';

/** What the platform reads of an organization's catalogue. */
export interface CatalogueAccess {
  /** Finds a dataset, from which a role looks up values. */
  findDataset: (
    organizationId: string,
    slug: LookUp['lookup'],
  ) => Promise<StoredDataset | undefined>;
  /** Whether an operator granted the connection to the organization. */
  isGranted: (organizationId: string, connection: string) => Promise<boolean>;
}
