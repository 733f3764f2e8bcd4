import { expect, it } from 'vitest';

import type { ReportPlatform, ReportRequest } from '../platforms/platform.ts';
import { computeSample } from './sample.ts';

it('a sample whose rows could not be computed is not shown as one without rows', async () => {
  const rows = [[{ failure: 'too-large' }]];
  const platform = {
    compute: async () => ({ page: { rows }, rowCount: 3_000_000 }),
  } as unknown as ReportPlatform;
  expect(await computeSample(platform, {} as ReportRequest)).toMatchObject({
    rows: null,
    rowCount: 3_000_000,
  });
});
