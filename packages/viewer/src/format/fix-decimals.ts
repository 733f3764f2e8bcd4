import type { Metric, Value } from '@portal-embed/report-model';

import type { Formats } from './create-formats.ts';

/** Gives all numbers of a metric as many decimals as one of them needs, so that they stand in line. */
export const fixDecimals = <Described extends Pick<Metric, 'format'>>(
  metrics: readonly Described[],
  rows: readonly (readonly Value[])[],
  { countDecimals }: Pick<Formats, 'countDecimals'>,
): Described[] =>
  metrics.map((metric, column) => {
    const { format } = metric;
    if (format.notation === 'compact') return metric;
    const values = rows.map((row) => row[column] ?? null);
    const minimumFractionDigits = countDecimals(values, format);
    return { ...metric, format: { ...format, minimumFractionDigits } };
  });
