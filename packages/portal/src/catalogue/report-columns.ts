import type { Selectable } from 'kysely';

import type { ColumnMap } from '../db/query/column-map.ts';
import type { Schema } from '../db/schema.ts';

/** The fields of a report that are columns of its table. */
export const reportColumns = {
  id: 'id',
  name: 'name',
  description: 'description',
  datasetId: 'dataset_id',
  workspaceId: 'workspace_id',
  reportType: 'report_type',
} as const satisfies ColumnMap<Selectable<Schema['reports']>>;
