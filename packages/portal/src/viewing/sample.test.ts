import { expect, it } from 'vitest';

import { presentSample } from './sample.ts';

it('a sample whose rows could not be computed is not shown as one without rows', () => {
  const failed = {
    id: 'sample',
    type: 'table',
    title: '',
    width: 12,
    failure: { code: 'too_much_data' },
  } as const;
  const page = { index: 0, name: 'Sample', rows: [[failed]] };
  const computed = {
    unappliedFilters: [],
    unreadableFilters: [],
    readerFilters: [],
    filterFields: [],
    rowCount: 3_000_000,
    timeZone: 'UTC',
    pages: ['Sample'],
    page,
  };
  expect(presentSample(computed)).toMatchObject({ rows: null, rowCount: 3_000_000 });
});
