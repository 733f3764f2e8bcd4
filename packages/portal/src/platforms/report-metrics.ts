import type { ErrorCode } from '@portal-embed/contract';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

import { ReportError, type OpenOptions, type ReportPlatform } from '#platform';

import { Platforms } from './registry.ts';

export interface ReportMetrics {
  /** Wraps the platforms so that their reports and queries are measured. */
  measureReports: (platforms: Platforms) => Platforms;
  /** Counts a page of one report that was sent without the report's data, by the error's code. */
  countFirstDataMissing: (cause: ErrorCode) => void;
}

const causeOf = (error: unknown) => (error instanceof ReportError ? error.reason : 'failed');

export function createReportMetrics(registry: Registry): ReportMetrics {
  const registers = [registry];
  const durations = new Histogram({
    name: 'portal_report_duration_seconds',
    help: 'Time to compute a report, including the wait for the engine.',
    labelNames: ['outcome'],
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30, 60],
    registers,
  });
  const failures = new Counter({
    name: 'portal_report_failures_total',
    help: 'Reports and tiles that could not be computed, by cause.',
    labelNames: ['cause'],
    registers,
  });
  const firstDataMissing = new Counter({
    name: 'portal_first_data_missing_total',
    help: 'Pages of one report that were sent without its data, by the code of the error.',
    labelNames: ['cause'],
    registers,
  });
  let measured: Platforms | undefined;
  const queries: Gauge = new Gauge({
    name: 'portal_report_queries',
    help: 'Queries of reports that run or wait for their turn.',
    labelNames: ['state'],
    registers,
    collect: () => {
      const { running, waiting } = measured?.usage() ?? { running: 0, waiting: 0 };
      queries.set({ state: 'running' }, running);
      queries.set({ state: 'waiting' }, waiting);
    },
  });

  async function measure<Computed>(
    signal: AbortSignal,
    compute: () => Promise<Computed>,
    isMeasured: (computed: Computed) => boolean = () => true,
  ): Promise<Computed> {
    const endTimer = durations.startTimer();
    try {
      const computed = await compute();
      if (isMeasured(computed)) endTimer({ outcome: 'computed' });
      return computed;
    } catch (error) {
      endTimer({ outcome: signal.aborted ? 'aborted' : 'failed' });
      if (!signal.aborted) failures.inc({ cause: causeOf(error) });
      throw error;
    }
  }

  const measurePlatform = (platform: ReportPlatform): ReportPlatform => ({
    ...platform,
    open: async (reading, options) => {
      const { signal } = options;
      const counting: OpenOptions = {
        ...options,
        onTileFailure: (error) => {
          failures.inc({ cause: causeOf(error) });
          options.onTileFailure(error);
        },
      };
      const opened = await measure(
        signal,
        () => platform.open(reading, counting),
        // The computations of tiles are measured one by one.
        ({ kind }) => kind !== 'tiles',
      );
      if (opened.kind !== 'tiles') return opened;
      const { page, export: exportRows } = opened;
      return {
        ...opened,
        page: (request) => measure(signal, () => page(request)),
        ...(exportRows && { export: (request) => measure(signal, () => exportRows(request)) }),
      };
    },
  });

  return {
    measureReports: (platforms) => {
      measured = platforms;
      return new Platforms(platforms.list.map(measurePlatform));
    },
    countFirstDataMissing: (cause) => firstDataMissing.inc({ cause }),
  };
}
