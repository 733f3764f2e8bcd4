import fs from 'node:fs';
import path from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { signInAs, type AdminBrowser } from '../support/admin.ts';
import { writeFiles } from '../support/content-files.ts';
import { startTestPortal, type TestPortal } from '../support/portal.ts';

let portal: TestPortal;
let admin: AdminBrowser;
let folder: string;
beforeAll(async () => {
  portal = await startTestPortal();
  folder = path.join(portal.datasetFolder, portal.acme.id);
  admin = await signInAs(portal, portal.acme, 1, 'ada@acme.example');
});
afterAll(() => portal.close());

const at = (rest: string) => `/organizations/${portal.acme.id}${rest}`;

/** Applies a dataset, and perhaps a report, over the API. */
async function apply(slug: string, source: string, more = '', report?: string) {
  const text = `name: ${slug}\nsource: ${source}\n${more || 'rowAccess: everyone\n'}`;
  const answer = await portal.api('PUT', '/api/content', {
    json: {
      files: {
        [`datasets/${slug}.yaml`]: text,
        ...(report && { [`reports/${slug}.yaml`]: report }),
      },
    },
  });
  const { hints, errors = [] } = answer.json();
  return {
    status: answer.status,
    hints,
    errors: errors.map(({ message }: { message: string }) => message),
  };
}

/** The rows of a dataset, as an administrator sees them. */
async function readRows(source: string) {
  const { datasets } = (await admin.send('GET', at('/datasets'))).json();
  const { id } = datasets.find((dataset: { source: string }) => dataset.source === source);
  return (await admin.send('GET', at(`/datasets/${id}/sample`))).json().rows;
}

describe('a row of totals', () => {
  const data = 'Region,Product,Sales\nWest,Chair,10\nEast,Desk,20\n';
  const question = (file: string) =>
    `${file}: the last row is probably a total of those above ("Total", "30"); Sales is 30 without and 60 with it; write skipFooter: 1, or skipFooter: 0, under csv`;

  it('is asked about by the first apply, and left out or kept as the definition says', async () => {
    writeFiles(folder, { 'total.csv': `${data}Total,,30\n` });
    const asked = await apply('total', '{ file: total.csv }');
    expect([asked.status, asked.errors]).toEqual([422, [question('total.csv')]]);
    const source = (count: number) => `{ file: total.csv, csv: { skipFooter: ${count} } }`;
    expect((await apply('total', source(1))).status).toBe(200);
    expect(await readRows('total.csv')).toHaveLength(2);
    expect((await apply('total', source(0))).status).toBe(200);
    expect(await readRows('total.csv')).toHaveLength(3);
  });

  it('of a file that had none before is asked about, too', async () => {
    writeFiles(folder, { 'later.csv': data });
    expect((await apply('later', '{ file: later.csv }')).status).toBe(200);
    writeFiles(folder, { 'later.csv': `${data}Total,,30\n` });
    expect((await apply('later', '{ file: later.csv }')).errors).toEqual([question('later.csv')]);
    expect(await readRows('later.csv')).toHaveLength(2);
  });

  it('stays in a dataset that an earlier release has applied with it, and a hint asks', async () => {
    writeFiles(folder, {
      'older.csv': `Sold in,Product,Sales\nWest,Chair,10\nEast,Desk,20\nTotal,,30\n`,
    });
    const source = '{ file: older.csv, csv: { skipFooter: 0 } }';
    expect((await apply('older', source)).status).toBe(200);
    // Earlier releases asked nothing and had no such option.
    const versions = path.join(folder, '.versions');
    for (const name of fs.readdirSync(versions).filter((each) => each.endsWith('.json'))) {
      const file = path.join(versions, name);
      const described = JSON.parse(fs.readFileSync(file, 'utf8'));
      fs.writeFileSync(file, JSON.stringify({ ...described, questions: undefined }));
    }
    const again = await apply('older', '{ file: older.csv }');
    expect([again.status, again.hints]).toEqual([200, [question('older.csv')]]);
  });
});

it('an uploaded file with a row of totals becomes a dataset with the answer', async () => {
  const body = 'Report\n\nRegion;Sales\nK\xf6ln;10\nBonn;20\nSumme;30\n';
  const { uploadId, questions, hints, reading } = (
    await admin.send('POST', `${at('/uploads')}?fileName=totals.csv`, {
      body: Buffer.from(body, 'latin1') as never,
    })
  ).json();
  expect(questions).toMatchObject([
    { about: 'footer', interpretations: [{ options: { skipFooter: 1 } }, {}] },
  ]);
  expect(hints).toEqual([]);
  expect(reading.csv).toMatchObject({ encoding: 'windows-1252', delimiter: ';', skip: 2 });
  const create = (csv: object) =>
    admin.send('POST', at(`/uploads/${uploadId}`), {
      json: { name: 'Totals of files', workspace: 'Sales', csv },
    });
  expect((await create({})).status).toBe(400);
  expect((await create({ skipFooter: 1 })).status).toBe(200);
  expect(await readRows('totals-of-files.csv')).toEqual([
    ['Bonn', 20],
    ['Köln', 10],
  ]);
});

describe('several files of one pattern', () => {
  it('of other encodings, columns and types are one table', async () => {
    writeFiles(folder, {
      'months/2024-01.csv': 'Region,Sales\nKöln,1\nEast,2\n',
      'months/2024-02.csv': Buffer.from('Sales,Region,Cost\n7.5,M\xfcnchen,3\n', 'latin1'),
    });
    const { status, hints } = await apply('months', '{ files: months/*.csv }');
    expect([status, hints]).toEqual([
      200,
      [
        'months/2024-02.csv: the file is not UTF-8, and is read as windows-1252 ("München")',
        'the column "Cost" is missing in months/2024-01.csv, and is null for its rows',
      ],
    ]);
    expect(await readRows('months/*.csv')).toEqual([
      ['East', 2, null],
      ['Köln', 1, null],
      ['München', 7.5, 3],
    ]);
  });
});

it('a column that a file has lost is named with all that uses it', async () => {
  const more = `fields:
  - { name: Margin, expression: Sales - Cost }
metrics:
  - { name: Sales, expression: sum(Sales) }
  - { name: Double, expression: Sales * 2 }
  - { name: Rows, expression: count() }
roles:
  - { name: Large, rows: { field: Sales, between: [1, 9] } }
`;
  const report = `name: Lost
workspace: Sales
dataset: lost
pages:
  - name: First
    rows:
      - tiles:
          - { type: kpi, metric: Double }
          - { type: table, dimensions: [Region], metrics: [Sales] }
          - { type: bar, x: Region, y: Rows }
`;
  writeFiles(folder, { 'lost.csv': 'Region,Sales,Cost\nWest,1,2\n' });
  expect((await apply('lost', '{ file: lost.csv }', more, report)).errors).toEqual([]);
  writeFiles(folder, { 'lost.csv': 'Region,Cost\nWest,2\n' });
  const gone = 'the file has no column "Sales" any more';
  expect((await apply('lost', '{ file: lost.csv }', more, report)).errors).toEqual([
    `${gone}, which is used by the field "Margin"; the metric "Sales"; the role "Large"; kpi on the page "First", table on the page "First" of reports/lost.yaml`,
    `Margin: ${gone}; add it again, or remove what uses it`,
    `Sales: ${gone}; add it again, or remove what uses it`,
    `Large: ${gone}; add it again, or remove what uses it`,
  ]);
});
