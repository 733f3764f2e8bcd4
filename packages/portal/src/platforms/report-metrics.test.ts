import { Registry } from 'prom-client';
import { expect, it, vi } from 'vitest';

import {
  ReportError,
  type ComputedReport,
  type Frame,
  type OpenOptions,
  type Reading,
  type Tiles,
} from '#platform';
import { builtin } from '#report-engine';

import { Platforms } from './registry.ts';
import { createReportMetrics } from './report-metrics.ts';

const usage = { running: 2, waiting: 5 };
const page = { page: 0 };

/** A measured platform whose reports have one way to compute a page and one to export a tile. */
function measure(
  compute: (options: OpenOptions) => Promise<ComputedReport>,
  exportRows: NonNullable<Tiles['export']> = vi.fn(),
) {
  const registry = new Registry();
  let closed = 0;
  const platforms = new Platforms([
    {
      ...builtin,
      open: async (_reading, options) => ({
        kind: 'tiles',
        page: () => compute(options),
        export: exportRows,
      }),
      usage: () => usage,
      close: async () => void closed++,
    },
  ]);
  const measured = createReportMetrics(registry).measureReports(platforms);
  const open = async (onTileFailure: (error: unknown) => void = () => {}) => {
    const options = { onTileFailure, signal: new AbortController().signal };
    return (await measured.authored.open({} as Reading, options)) as Tiles;
  };
  return { registry, platforms: measured, open, countClosed: () => closed };
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
  const { registry, open } = measure(async () => {
    throw error;
  });
  await expect((await open()).page(page)).rejects.toBe(error);
  const text = await registry.metrics();
  expect(text).toContain(`portal_report_failures_total{cause="${cause}"} 1\n`);
  expect(text).toContain('portal_report_duration_seconds_count{outcome="failed"} 1\n');
});

it('the metrics count a tile that fails in a report that does not', async () => {
  const error = new ReportError('timeout', 'for a test');
  const failed: unknown[] = [];
  const { registry, open } = measure(async ({ onTileFailure }) => {
    onTileFailure(error);
    return {} as ComputedReport;
  });
  const tiles = await open((cause) => failed.push(cause));
  await tiles.page(page);
  expect(failed).toEqual([error]);
  const text = await registry.metrics();
  expect(text).toContain('portal_report_failures_total{cause="timeout"} 1\n');
  expect(text).toContain('portal_report_duration_seconds_count{outcome="computed"} 1\n');
});

it('the metrics measure an exported tile like a report', async () => {
  const unused = () => Promise.reject(new Error('unused'));
  const exportRows = vi.fn().mockResolvedValueOnce({}).mockRejectedValue(new Error('for a test'));
  const { registry, open } = measure(unused, exportRows);
  const tiles = await open();
  const request = { ...page, tile: 'total' };
  await tiles.export!(request);
  await expect(tiles.export!(request)).rejects.toThrow('for a test');
  const text = await registry.metrics();
  expect(text).toContain('portal_report_failures_total{cause="failed"} 1\n');
  for (const outcome of ['computed', 'failed'])
    expect(text).toContain(`portal_report_duration_seconds_count{outcome="${outcome}"} 1\n`);
});

it('a measured platform counts its queries and is closed like the one it wraps', async () => {
  const { platforms, countClosed } = measure(() => Promise.reject(new Error('unused')));
  expect(platforms.usage()).toEqual(usage);
  await platforms.close();
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
  const { registry, open } = measure(() => Promise.reject(new Error('for a test')));
  await expect((await open()).page(page)).rejects.toThrow('for a test');
  const bounds = (await registry.metrics()).matchAll(/duration_seconds_bucket\{le="([^"]+)"/g);
  expect([...bounds].map(([, bound]) => bound).join(' ')).toBe(
    '0.01 0.025 0.05 0.1 0.25 0.5 1 2.5 5 10 20 30 60 +Inf',
  );
});

it('the metrics measure a frame, and the tiles of a report only when they are computed', async () => {
  const registry = new Registry();
  const frame = { kind: 'frame', key: 'a' } as Frame;
  const platforms = new Platforms([{ ...builtin, open: async () => frame, close: async () => {} }]);
  const measured = createReportMetrics(registry).measureReports(platforms);
  const options = { onTileFailure: () => {}, signal: new AbortController().signal };
  expect(await measured.authored.open({} as Reading, options)).toBe(frame);
  const count = 'portal_report_duration_seconds_count{outcome="computed"}';
  expect(await registry.metrics()).toContain(`${count} 1\n`);
  const { registry: ofTiles, open } = measure(() => Promise.reject(new Error('unused')));
  await open();
  expect(await ofTiles.metrics()).not.toContain(count);
});
