import type { ErrorCode } from '@portal-embed/contract';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

import { ReportError, type ReportPlatform, type ReportRequest } from '#platform';

export interface ReportMetrics {
  /** Wraps the platform so that its reports and queries are measured. */
  measureReports: (platform: ReportPlatform) => ReportPlatform;
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
  let measured: ReportPlatform | undefined;
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

  async function measure<Request extends ReportRequest, Computed>(
    request: Request,
    compute: (request: Request) => Promise<Computed>,
  ): Promise<Computed> {
    const endTimer = durations.startTimer();
    const onTileFailure = (error: unknown) => {
      failures.inc({ cause: causeOf(error) });
      request.onTileFailure(error);
    };
    try {
      const computed = await compute({ ...request, onTileFailure });
      endTimer({ outcome: 'computed' });
      return computed;
    } catch (error) {
      const isAborted = request.signal.aborted;
      endTimer({ outcome: isAborted ? 'aborted' : 'failed' });
      if (!isAborted) failures.inc({ cause: causeOf(error) });
      throw error;
    }
  }

  return {
    measureReports: (platform) => {
      measured = platform;
      return {
        ...platform,
        compute: (request) => measure(request, platform.compute),
        export: (request) => measure(request, platform.export),
      };
    },
    countFirstDataMissing: (cause) => firstDataMissing.inc({ cause }),
  };
}
