import { flatReportSchema } from '@portal-embed/report-model';

import type { PlatformName } from '../db/schema.ts';
import type { ReportPlatform } from './platform.ts';

/** A report platform as the catalogue knows it. */
export interface PlatformKind {
  /** `reportType` of the API. */
  reportType: number;
  /**
   * Checks and completes a report's definition, which has the platform's own shape.
   *
   * @throws ZodError
   */
  parseDefinition: (definition: unknown) => object;
}

/** The known platforms, by the name that the catalogue stores. */
export const platformKinds = {
  builtin: {
    reportType: 1,
    parseDefinition: (definition) => flatReportSchema.parse(definition),
  },
} as const satisfies Record<PlatformName, PlatformKind>;

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
