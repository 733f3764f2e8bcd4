import { expect, it } from 'vitest';

import {
  ReaderViewError,
  ReportError,
  type OpenOptions,
  type Reading,
  type ReportPlatform,
} from '#platform';

import { Platforms } from './registry.ts';
import { ReportTimes } from './report-times.ts';

const hour = 3_600_000;

/** A platform whose pages take a time on a clock of the test, and may fail. */
function setUp() {
  let now = Date.parse('2026-03-01T00:00:00Z');
  const times = new ReportTimes(() => now);
  let outcome: (onTileFailure: OpenOptions['onTileFailure']) => unknown = () => ({});
  let ms = 0;
  const platform = {
    name: 'slow',
    open: async (_reading: Reading, { onTileFailure }: OpenOptions) => ({
      kind: 'tiles',
      page: async () => {
        now += ms;
        return outcome(onTileFailure);
      },
    }),
  } as unknown as ReportPlatform;
  const [watched] = times.watch(new Platforms([platform])).list;
  return {
    times,
    pass: (passed: number) => (now += passed),
    read: async (options: {
      ms?: number;
      of?: string;
      report?: string;
      purpose?: Reading['purpose'];
      fails?: (onTileFailure: (error: unknown) => void) => unknown;
      signal?: AbortSignal;
    }) => {
      const { of = 'o1', report = 'r1', purpose = 'read', fails } = options;
      const reading = { organizationId: of, report: { id: report }, purpose } as Reading;
      outcome = (onTileFailure) => fails?.(onTileFailure) ?? {};
      ms = options.ms ?? 10;
      const signal = options.signal ?? new AbortController().signal;
      const opened = await watched!.open(reading, {
        onTileFailure: (error) => void error,
        signal,
      });
      if (opened.kind !== 'tiles') throw new Error('The report has tiles.');
      await opened.page({ page: 0 }).catch(() => {});
    },
  };
}

const fail = (error: Error) => () => {
  throw error;
};

it('lists the median of the latest computations and the failures of each report of an organization', async () => {
  const { times, read } = setUp();
  for (const ms of [100, 900, 200]) await read({ ms });
  await read({ fails: fail(new ReportError('timeout', 'late')) });
  await read({ report: 'r2', fails: fail(new Error('broken')) });
  await read({ of: 'o2' });
  expect(times.list('o1')).toEqual([
    { reportId: 'r2', computations: 1, failures: 1, medianMs: null },
    { reportId: 'r1', computations: 4, failures: 1, medianMs: 200 },
  ]);
  expect(times.list('o3')).toEqual([]);
});

it('counts a page with tiles that failed once', async () => {
  const { times, read } = setUp();
  await read({
    fails: (onTileFailure) => {
      onTileFailure(new Error('one'));
      onTileFailure(new Error('two'));
    },
  });
  await read({});
  expect(times.list('o1')).toMatchObject([{ computations: 2, failures: 1 }]);
});

it('ignores previews, views as a user, readers who left and requests that the report refuses', async () => {
  const { times, read } = setUp();
  await read({ purpose: 'draft' });
  await read({ purpose: 'view-as' });
  await read({ fails: fail(new ReaderViewError('no such field')) });
  await read({ fails: fail(new Error('gone')), signal: AbortSignal.abort() });
  expect(times.list('o1')).toEqual([]);
});

it('forgets computations of the day before, and all but the latest 50', async () => {
  const { times, read, pass } = setUp();
  const startedAt = times.since;
  for (let index = 0; index < 60; index++) await read({ fails: fail(new Error('broken')) });
  for (let index = 0; index < 20; index++) await read({});
  expect(times.list('o1')).toMatchObject([{ computations: 50, failures: 30 }]);
  expect(times.since).toEqual(startedAt);
  pass(25 * hour);
  expect(times.list('o1')).toEqual([]);
  expect(times.since.getTime()).toBeGreaterThan(startedAt.getTime());
});
