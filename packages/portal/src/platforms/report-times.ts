import { LRUCache } from 'lru-cache';

import {
  ReaderViewError,
  UnappliedFiltersError,
  UnknownTileError,
  type Reading,
  type ReportPlatform,
} from '#platform';

import { Platforms } from './registry.ts';

/** Maximum number of reports whose computations are kept. */
const maxReports = 10_000;

/** Maximum number of computations that are kept of one report. */
const maxComputations = 50;

/** Computations count for this time. */
const keptMs = 24 * 3_600_000;

interface Computation {
  at: number;
  ms: number;
  hasFailed: boolean;
}

/** The computations of a report for its readers in the last 24 hours. */
export interface ReportTime {
  reportId: string;
  /** At most the latest 50. */
  computations: number;
  failures: number;
  /** Median of those that succeeded, in milliseconds; `null` if none did. */
  medianMs: number | null;
}

/**
 * How long reports take, and how often they fail. Kept in the memory of this instance, because a write
 * for each page of a report would slow readers down.
 */
export class ReportTimes {
  readonly #reports = new LRUCache<string, Computation[]>({ max: maxReports });
  readonly #now: () => number;
  readonly #startedAt: number;

  constructor(now: () => number = Date.now) {
    this.#now = now;
    this.#startedAt = now();
  }

  /** Since when computations are kept, at most 24 hours. */
  get since(): Date {
    return new Date(Math.max(this.#startedAt, this.#now() - keptMs));
  }

  /** Wraps the platforms so that the pages of their reports are measured. */
  watch(platforms: Platforms): Platforms {
    return new Platforms(platforms.list.map((platform) => this.#watchPlatform(platform)));
  }

  /** Lists the reports of an organization that were computed in the last 24 hours. */
  list(organizationId: string): ReportTime[] {
    const since = this.since.getTime();
    return [...this.#reports.entries()].flatMap(([key, all]) => {
      const [owner, reportId] = key.split(' ') as [string, string];
      const recent = owner === organizationId ? all.filter(({ at }) => at >= since) : [];
      if (recent.length === 0) return [];
      const times = recent.filter(({ hasFailed }) => !hasFailed).map(({ ms }) => ms);
      return [
        {
          reportId,
          computations: recent.length,
          failures: recent.length - times.length,
          medianMs: times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? null,
        },
      ];
    });
  }

  #watchPlatform(platform: ReportPlatform): ReportPlatform {
    return {
      ...platform,
      open: async (reading, options) => {
        const { id } = reading.report;
        if (reading.purpose !== 'read' || id === undefined) return platform.open(reading, options);
        let failedTiles = 0;
        const measure = async <Computed>(
          compute: () => Promise<Computed>,
          isWhole: (computed: Computed) => boolean,
        ): Promise<Computed> => {
          const startedAt = this.#now();
          const failedBefore = failedTiles;
          try {
            const computed = await compute();
            if (isWhole(computed)) this.#note(reading, id, startedAt, failedTiles > failedBefore);
            return computed;
          } catch (error) {
            if (!options.signal.aborted && !isRefusal(error))
              this.#note(reading, id, startedAt, true);
            throw error;
          }
        };
        const onTileFailure = (error: unknown) => {
          failedTiles += 1;
          options.onTileFailure(error);
        };
        const opened = await measure(
          () => platform.open(reading, { ...options, onTileFailure }),
          // The pages of tiles are measured one by one.
          ({ kind }) => kind === 'frame',
        );
        if (opened.kind !== 'tiles') return opened;
        const { page } = opened;
        return {
          ...opened,
          page: (request) =>
            measure(
              () => page(request),
              () => true,
            ),
        };
      },
    };
  }

  #note({ organizationId }: Reading, reportId: string, startedAt: number, hasFailed: boolean) {
    const key = `${organizationId} ${reportId}`;
    const at = this.#now();
    const known = this.#reports.get(key) ?? [];
    this.#reports.set(key, [
      ...known.slice(1 - maxComputations),
      { at, ms: at - startedAt, hasFailed },
    ]);
  }
}

/** Whether the report refused what the reader asked for. */
const isRefusal = (error: unknown) =>
  error instanceof UnappliedFiltersError ||
  error instanceof ReaderViewError ||
  error instanceof UnknownTileError;
