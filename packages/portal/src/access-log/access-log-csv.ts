import { auditEntrySchema, type AuditEntry } from '@portal-embed/contract';

import type { Context } from '../actor/actor.ts';
import { disarmFormula, formatCsvRow } from '../csv.ts';
import { presentEntry } from './presenter.ts';
import { exportEntries } from './service.ts';
import type { ExportFilter } from './store.ts';

const columns = Object.keys(auditEntrySchema.shape) as (keyof AuditEntry)[];

/** Header of the CSV of the access log. */
export const csvHeader = formatCsvRow(columns);

export const formatEntry = (entry: AuditEntry): string =>
  formatCsvRow(columns.map((column) => disarmFormula(String(entry[column]))));

/** Writes the matching entries as CSV, oldest first, in batches. */
export async function* writeCsv(ctx: Context, filter: ExportFilter): AsyncGenerator<string> {
  yield csvHeader;
  for await (const rows of exportEntries(ctx, filter))
    yield rows.map((row) => formatEntry(presentEntry(row))).join('');
}
