import type { Metric, Value } from '@portal-embed/report-model';

import type { Formats } from './create-formats.ts';

/** Gives all numbers of a metric as many decimals as one of them needs, so that they stand in line. */
export const fixDecimals = <Described extends Pick<Metric, 'format'>>(
  metrics: readonly Described[],
  rows: readonly (readonly Value[])[],
  { fixFormat }: Pick<Formats, 'fixFormat'>,
): Described[] =>
  metrics.map((metric, column) => ({
    ...metric,
    format: fixFormat(
      rows.map((row) => row[column] ?? null),
      metric.format,
    ),
  }));
