import { rowPredicateSchema, type Role } from '@portal-embed/report-model';
import { z } from 'zod';

import { ReportError, type OpenOptions, type PageRequest, type Reading } from '#platform';

import type { Owner } from './limits/turns.ts';

/** The rows that one role allows. */
export type RoleRows = Role['rows'];

/** One computation of a report. Its queries take the turns of the owner. */
export interface ReportRequest
  extends
    Owner,
    PageRequest,
    Pick<Reading, 'dataset' | 'filters' | 'unappliedFilters'>,
    Pick<OpenOptions, 'onTileFailure' | 'signal'> {
  /** The report, as the catalogue stores it. */
  source: unknown;
  /** Rows that row-level security allows: those of any of these roles. */
  visibleRows: readonly RoleRows[];
  /** What is known about the reader. */
  viewer: Reading['reader'];
}

export const roleRowsSchema: z.ZodType<RoleRows> = z.union([z.literal('all'), rowPredicateSchema]);

/**
 * Prepares a reading for computations.
 *
 * @throws `ReportError` if the stored definition of a role cannot be read: to ignore it could show a
 *   wrong number
 */
export const toRequest = (
  reading: Reading,
  { onTileFailure, signal }: OpenOptions,
): Omit<ReportRequest, keyof PageRequest> => ({
  organizationId: reading.organizationId,
  userId: reading.queue,
  dataset: reading.dataset,
  source: reading.report.source,
  visibleRows: readRows(reading),
  viewer: reading.reader,
  filters: reading.filters,
  unappliedFilters: reading.unappliedFilters,
  onTileFailure,
  signal,
});

const readRows = ({ rows, dataset }: Reading): RoleRows[] =>
  rows.access === 'everyone'
    ? ['all']
    : rows.roles.map(({ name, definition }) => {
        const { data, error } = roleRowsSchema.safeParse(definition);
        if (data) return data;
        throw new ReportError(
          'failed',
          `The stored role "${name}" of the dataset "${dataset.name}" has a predicate that this release cannot read.`,
          { cause: error },
        );
      });
