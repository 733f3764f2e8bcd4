import { Registry } from 'prom-client';
import { expect, it, vi } from 'vitest';

import {
  ReportError,
  type ComputedReport,
  type ReportPlatform,
  type ReportRequest,
} from '#platform';

import { createReportMetrics } from './metrics.ts';
import { combinePlatforms } from './registry.ts';

const usage = { running: 2, waiting: 5 };
const request = {
  platform: 'builtin',
  signal: new AbortController().signal,
} as unknown as ReportRequest;

function measure(compute: ReportPlatform['compute'], exportTile = vi.fn()) {
  const registry = new Registry();
  let closed = 0;
  const builtin = {
    compute,
    export: exportTile,
    listValues: () => Promise.reject(new Error('unused')),
    usage: () => usage,
    close: async () => void closed++,
  };
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

it('the metrics count a tile that fails in a report that does not', async () => {
  const error = new ReportError('timeout', 'for a test');
  const failed: unknown[] = [];
  const { registry, platform } = measure(async ({ onTileFailure }) => {
    onTileFailure(error);
    return {} as ComputedReport;
  });
  await platform.compute({ ...request, onTileFailure: (cause) => failed.push(cause) });
  expect(failed).toEqual([error]);
  const text = await registry.metrics();
  expect(text).toContain('portal_report_failures_total{cause="timeout"} 1\n');
  expect(text).toContain('portal_report_duration_seconds_count{outcome="computed"} 1\n');
});

it('the metrics measure an exported tile like a report', async () => {
  const unused = () => Promise.reject(new Error('unused'));
  const exportTile = vi.fn().mockResolvedValueOnce({}).mockRejectedValue(new Error('for a test'));
  const { registry, platform } = measure(unused, exportTile);
  const exportRequest = { ...request, tile: 'total' };
  await platform.export(exportRequest);
  await expect(platform.export(exportRequest)).rejects.toThrow('for a test');
  const text = await registry.metrics();
  expect(text).toContain('portal_report_failures_total{cause="failed"} 1\n');
  for (const outcome of ['computed', 'failed'])
    expect(text).toContain(`portal_report_duration_seconds_count{outcome="${outcome}"} 1\n`);
});

it('closing the platforms closes each of them', async () => {
  const { platform, countClosed } = measure(() => Promise.reject(new Error('unused')));
  expect(platform.usage()).toEqual(usage);
  await platform.close();
  expect(countClosed()).toBe(1);
});

it('the metrics count no queries before there is a platform', async () => {
  const registry = new Registry();
  createReportMetrics(registry);
  const text = await registry.metrics();
  expect(text).toContain('portal_report_queries{state="running"} 0\n');
  expect(text).toContain('portal_report_queries{state="waiting"} 0\n');
});

it('the buckets of report times are from 10 ms to a minute', async () => {
  const { registry, platform } = measure(() => Promise.reject(new Error('for a test')));
  await expect(platform.compute(request)).rejects.toThrow('for a test');
  const bounds = (await registry.metrics()).matchAll(/duration_seconds_bucket\{le="([^"]+)"/g);
  expect([...bounds].map(([, bound]) => bound).join(' ')).toBe(
    '0.01 0.025 0.05 0.1 0.25 0.5 1 2.5 5 10 20 30 60 +Inf',
  );
});
