import { Registry } from 'prom-client';
import { expect, it } from 'vitest';

import { createReportMetrics } from './metrics.ts';
import { ReportError, type ReportPlatform, type ReportRequest } from './platform.ts';
import { combinePlatforms } from './registry.ts';

const usage = { running: 2, waiting: 5 };
const request = {
  platform: 'builtin',
  signal: new AbortController().signal,
} as unknown as ReportRequest;

function measure(compute: ReportPlatform['compute']) {
  const registry = new Registry();
  let closed = 0;
  const builtin = { compute, usage: () => usage, close: async () => void closed++ };
  const platform = createReportMetrics(registry).measureReports(combinePlatforms({ builtin }));
  return { registry, platform, countClosed: () => closed };
}

it('the metrics count running and waiting queries', async () => {
  const { registry } = measure(() => Promise.reject(new Error('unused')));
  const text = await registry.metrics();
  expect(text).toContain('portal_report_queries{state="running"} 2\n');
  expect(text).toContain('portal_report_queries{state="waiting"} 5\n');
});

it.each([
  [new ReportError('timeout', 'for a test'), 'timeout'],
  [new TypeError('for a test'), 'failed'],
])('the metrics count a report that fails with %o', async (error, cause) => {
  const { registry, platform } = measure(async () => {
    throw error;
  });
  await expect(platform.compute(request)).rejects.toBe(error);
  const text = await registry.metrics();
  expect(text).toContain(`portal_report_failures_total{cause="${cause}"} 1\n`);
  expect(text).toContain('portal_report_duration_seconds_count{outcome="failed"} 1\n');
});

it('closing the platforms closes each of them', async () => {
  const { platform, countClosed } = measure(() => Promise.reject(new Error('unused')));
  expect(platform.usage()).toEqual(usage);
  await platform.close();
  expect(countClosed()).toBe(1);
});
