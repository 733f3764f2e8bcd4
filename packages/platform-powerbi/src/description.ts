import type { z } from 'zod';

import type { Frames, PlatformDescription } from '#platform';

import { clouds } from './clouds.ts';
import { checkRoleName, datasetSource, reportSource, roleDefinition } from './sources.ts';

const check = (schema: z.ZodType) => (value: unknown) =>
  schema
    .safeParse(value)
    .error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ?? [];

/** The platform whose reports are in workspaces of Power BI. */
export const powerbi = {
  name: 'powerbi',
  label: 'Power BI',
  reportType: 2,
  authored: false,
  catalogue: {
    checkReport: check(reportSource),
    checkDataset: check(datasetSource),
    checkRole: (name, definition) => [...checkRoleName(name), ...check(roleDefinition)(definition)],
  },
  addressOf: ({ id, source }) => {
    const { workspaceId, embedUrl } = reportSource.parse(source);
    return `${new URL(embedUrl).origin}/groups/${workspaceId}/reports/${id}`;
  },
  // The client posts its token to any page in the frame, so that only exact hosts are admitted.
  frames: { origins: Object.values(clouds).flatMap(({ pages }) => pages) },
} satisfies Omit<PlatformDescription, 'frames'> & { frames: Pick<Frames, 'origins'> };
