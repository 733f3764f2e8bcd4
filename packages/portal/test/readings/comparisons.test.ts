import path from 'node:path';

import { listDays } from 'report-engine/testing/calendar';
import { readerView } from 'report-engine/testing/reader-view';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { linkReports } from '../../src/access/report-links.ts';
import { writeFiles } from '../support/content-files.ts';
import { exportTile, readExported } from '../support/exported.ts';
import { startTestPortal, type TestPortal } from '../support/portal.ts';
import { startSession, view } from '../support/viewer.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await startTestPortal();
});
afterAll(() => portal.close());

/** One sale a day, until the last day. */
const salesUntil = (last: string) =>
  [
    'Day,Sales',
    ...listDays(2022, 2024)
      .filter((day) => day <= last)
      .map((day) => `${day},1`),
  ].join('\n');

it.each([
  ['2024-02-28', 'year', 59, '2023-01-01', '2023-03-01', 59],
  ['2024-02-28', 'month', 28, '2024-01-01', '2024-01-29', 28],
  ['2024-05-30', 'month', 30, '2024-04-01', '2024-05-01', 30],
  ['2024-05-30', 'quarter', 60, '2024-01-01', '2024-03-01', 60],
])(
  'a report whose data ends on %s is compared with the previous %s in its page and its file',
  async (last, unit, value, from, to, earlier) => {
    const { acme } = portal;
    const slug = `sales-${last}-${unit}`;
    writeFiles(path.join(portal.datasetFolder, acme.id), { [`${slug}.csv`]: salesUntil(last) });
    const files = {
      [`datasets/${slug}.yaml`]: `name: ${slug}
source: { file: ${slug}.csv }
rowAccess: everyone
time: Day
metrics:
  - { name: Sales, expression: sum(Sales) }
`,
      [`reports/${slug}.yaml`]: `name: ${slug}
workspace: Sales
dataset: ${slug}
pages:
  - name: Page
    rows:
      - tiles: [{ type: kpi, metric: Sales, compare: previous ${unit} }]
`,
    };
    const applied = await portal.api('PUT', '/api/content', { key: acme.apiKey, json: { files } });
    expect([applied.status, applied.body]).toEqual([200, expect.anything()]);
    const changes = applied.json().changes as { kind: string; id: string }[];
    const reportId = changes.find(({ kind }) => kind === 'report')!.id;
    const userEmail = acme.emails.west;
    await linkReports(acme.ctx, { userEmail, reports: [reportId] });
    const { bearer } = await startSession(portal, acme, { userEmail, reportId });

    const { page } = (await view(acme.address, bearer, reportId)).json();
    expect(page.rows[0][0]).toMatchObject({ value, comparison: { from, to, value: earlier } });

    const json = { tile: '0.0.0', format: 'csv', view: readerView() } as const;
    const file = await exportTile(acme.address, { bearer, reportId, json });
    const [, numbers] = await readExported('csv', file);
    expect(numbers).toEqual([String(value), String(earlier)]);
  },
);
