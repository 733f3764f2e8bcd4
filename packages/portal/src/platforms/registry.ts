import type { PlatformName, ReportPlatform } from '#platform';

/** `reportType` of the API, by the name of the platform in the catalogue. */
export const reportTypes = { builtin: 1 } as const satisfies Record<PlatformName, number>;

/** Combines platforms into one that passes each request to the platform of its report. */
export function combinePlatforms(platforms: Record<PlatformName, ReportPlatform>): ReportPlatform {
  const all = Object.values(platforms);
  return {
    compute: (request) => platforms[request.platform].compute(request),
    export: (request) => platforms[request.platform].export(request),
    listValues: (request) => platforms[request.platform].listValues(request),
    usage: () => {
      const usages = all.map((platform) => platform.usage());
      const sum = (state: 'running' | 'waiting') =>
        usages.reduce((total, usage) => total + usage[state], 0);
      return { running: sum('running'), waiting: sum('waiting') };
    },
    close: async () => {
      await Promise.all(all.map((platform) => platform.close()));
    },
  };
}
