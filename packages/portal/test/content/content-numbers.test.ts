import fs from 'node:fs';
import path from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { FileQuestion, UploadedFile } from '#admin/requests';

import { signInAs, type AdminBrowser } from '../support/admin.ts';
import { writeFiles } from '../support/content-files.ts';
import { dumpTables } from '../support/dump.ts';
import { expectProblem } from '../support/http.ts';
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

const german = 'Region;Stueck\nWest;1.234\nOst;12.500\nNord;980\n';
const english = 'Region\tOrders\nWest\t1,234\nEast\t2,500\nNorth\t12,000\n';

const define = (file: string, csv: string, column: string) => `name: Sales
source: { file: ${file}, csv: { ${csv} } }
rowAccess: everyone
metrics:
  - { name: Total, expression: sum(${column}) }
`;

/** Applies a dataset over the API. */
async function apply(slug: string, data: string, csv: string, column = 'Stueck') {
  writeFiles(folder, { [`${slug}.csv`]: data });
  const files = { [`datasets/${slug}.yaml`]: define(`${slug}.csv`, csv, column) };
  return portal.api('PUT', '/api/content', { json: { files } });
}

/** The dataset's page. */
async function readPage(slug: string) {
  const { datasets } = (await admin.send('GET', at('/datasets'))).json();
  const { id } = datasets.find(({ source }: { source: string }) => source === `${slug}.csv`);
  return (await admin.send('GET', at(`/datasets/${id}`))).json();
}

/** The sum of a column of the dataset, as an administrator sees its rows. */
async function sumOf(slug: string, index: number): Promise<number> {
  const { id } = await readPage(slug);
  const { rows } = (await admin.send('GET', at(`/datasets/${id}/sample`))).json();
  return rows.reduce((sum: number, row: string[]) => sum + Number(row[index]), 0);
}

const question = (file: string) =>
  `${file}: column "Stueck" has two interpretations: "1.234", "12.500", "980" can be 1.234, 12.5, 980 (total 993.734) or 1234, 12500, 980 (total 14714); write decimal: ".", or decimal: "," and thousands: ".", under csv, or give the field type: text`;

describe('the first apply of a dataset', () => {
  it.each([
    ['points', german, 'delimiter: ;', 'Stueck', '1.234'],
    ['commas', english, 'delimiter: "\\t"', 'Orders', '1,234'],
    ['quotes', 'Region,Orders\nWest,"1,234"\n', '', 'Orders', '1,234'],
  ])('asks about numbers with %s, and changes nothing', async (slug, data, csv, column, value) => {
    const before = await dumpTables(portal.db);
    const answer = await apply(slug, data, csv, column);
    expectProblem(answer, 'invalid_content');
    expect(answer.json().errors).toEqual([
      {
        path: `datasets/${slug}.yaml:2:17`,
        message: expect.stringMatching(
          new RegExp(
            `^${slug}\\.csv: column "${column}" has two interpretations: "${value}".*; write `,
          ),
        ),
      },
    ]);
    const { activity_log: _log, ...after } = await dumpTables(portal.db);
    expect(before).toMatchObject(after);
  });

  it.each([
    ['decimals', german, 'delimiter: ;, decimal: "."', 'Stueck', 993.734],
    ['thousands', german, 'delimiter: ;, decimal: ",", thousands: .', 'Stueck', 14_714],
    ['grouped', english, 'delimiter: "\\t", thousands: ","', 'Orders', 15_734],
    ['comma', english, 'delimiter: "\\t", decimal: ","', 'Orders', 15.734],
  ])('reads %s as the definition says', async (slug, data, csv, column, total) => {
    const answer = await apply(slug, data, csv, column);
    expect([answer.status, answer.json().hints]).toEqual([200, []]);
    expect(await sumOf(slug, 1)).toBeCloseTo(total, 9);
    expect((await readPage(slug)).questions).toEqual([]);
  });
});

describe('a dataset that was applied before', () => {
  it('keeps its reading, and its check and its page warn until the definition chooses one', async () => {
    expect((await apply('kept', german.replace('1.234', '1.5'), 'delimiter: ;')).status).toBe(200);
    const again = await apply('kept', german, 'delimiter: ;');
    expect([again.status, again.json().hints]).toEqual([200, [question('kept.csv')]]);
    expect(await sumOf('kept', 1)).toBeCloseTo(993.734, 9);
    const { questions } = await readPage('kept');
    expect(questions).toMatchObject([
      {
        file: 'kept.csv',
        about: 'numbers',
        interpretations: [{ options: { decimal: '.' } }, { options: { thousands: '.' } }],
      },
    ]);
    expect((await apply('kept', german, 'delimiter: ;, decimal: "."')).json().hints).toEqual([]);
    expect((await readPage('kept')).questions).toEqual([]);
  });

  it('warns on its page, too, if an earlier release has converted its file', async () => {
    const data = `${german}Süd;3.000\n`;
    await apply('older', data.replace('1.234', '1.5'), 'delimiter: ;');
    await apply('older', data, 'delimiter: ;');
    const { questions } = await readPage('older');
    const [{ interpretations }] = questions as [FileQuestion];
    const readings = interpretations.map(({ options, columns }) => ({
      csv: options,
      columns: columns.map((column) => ({
        ...column,
        values: column.values.map(({ text, read }) => ({ text, number: read })),
      })),
    }));
    const describeAgain = (change: object) => {
      const versions = path.join(folder, '.versions');
      for (const name of fs.readdirSync(versions).filter((each) => each.endsWith('.json'))) {
        const text = fs.readFileSync(path.join(versions, name), 'utf8');
        if (text.includes('17714'))
          fs.writeFileSync(
            path.join(versions, name),
            JSON.stringify({ ...JSON.parse(text), questions: undefined, ...change }),
          );
      }
    };
    describeAgain({ readings });
    expect((await readPage('older')).questions).toEqual(questions);
    describeAgain({ readings: undefined });
    // The file is read again, as it is now.
    writeFiles(folder, { 'older.csv': `${data}Süd;2.000\n` });
    expect((await readPage('older')).questions).toMatchObject([{ file: 'older.csv' }]);
    fs.rmSync(path.join(folder, 'older.csv'));
    expect((await readPage('older')).questions).toEqual([]);
  });

  it('is asked about a column whose numbers it has not read before', async () => {
    expect((await apply('whole', german.replace(/\./g, ''), 'delimiter: ;')).status).toBe(200);
    expectProblem(await apply('whole', german, 'delimiter: ;'), 'invalid_content');
    expect(await sumOf('whole', 1)).toBe(14_714);
    const csv = 'delimiter: ;, decimal: ",", thousands: .';
    expect((await apply('whole', german, csv)).status).toBe(200);
    expectProblem(await apply('whole', german, 'delimiter: ;'), 'invalid_content');
  });
});

describe('an uploaded file', () => {
  const upload = async (name: string, body: string) =>
    (await admin.send('POST', `${at('/uploads')}?fileName=${name}`, { body })).json();
  const create = (uploadId: string, csv?: object) =>
    admin.send('POST', at(`/uploads/${uploadId}`), {
      json: { name: 'Asked', workspace: 'Reports', ...(csv && { csv }) },
    });

  it('becomes no dataset until its numbers have one reading', async () => {
    const { uploadId, columns, sample, questions } = await upload('a.tsv', english);
    expect(columns[1]).toEqual({ name: 'Orders', type: 'text' });
    expect(sample.rows).toContainEqual(['West', '1,234']);
    const [{ interpretations }] = questions as [UploadedFile['questions'][number]];
    expect(
      interpretations.map(({ options, columns: [column] }) => [options, column!.total]),
    ).toEqual([
      [{ thousands: ',' }, '15734'],
      [{ decimal: ',' }, '15.734'],
    ]);
    const before = await dumpTables(portal.db);
    const refused = await create(uploadId);
    expectProblem(refused, 'invalid_request');
    expect(refused.json().detail).toBe('The file has several interpretations. Choose one.');
    const { activity_log: _log, ...after } = await dumpTables(portal.db);
    expect(before).toMatchObject(after);
    expect(fs.readdirSync(folder)).not.toContain('asked.tsv');
    const created = await create(uploadId, interpretations[0]!.options);
    expect([created.status, created.body]).toEqual([200, expect.anything()]);
    const { rows } = (
      await admin.send('GET', at(`/datasets/${created.json().datasetId}/sample`))
    ).json();
    expect(rows).toContainEqual(['West', 1234]);
  });

  it('with quoted decimal commas between commas is read', async () => {
    const body = 'Region,Weight,Parts\nWest,"1,5","1,234,567"\nEast,"2,25","12"\n';
    const { uploadId, columns, questions, hints, reading } = await upload('b.csv', body);
    expect(questions).toEqual([]);
    expect(columns.map(({ type }: { type: string }) => type)).toEqual(['text', 'number', 'text']);
    expect(hints).toEqual([expect.stringContaining('column "Parts" is text, but')]);
    expect(reading.csv).toMatchObject({ decimal: ',' });
    expect((await create(uploadId)).status).toBe(200);
  });

  it.each([
    [
      'a.xls',
      'PK',
      'This kind of workbook is not supported. Save it as .xlsx, or save its sheet as',
    ],
    ['a.xlsx', 'PK', 'the file is not a workbook; if it is CSV, rename it so that it ends in .csv'],
    [
      'a.csv',
      'PK\u0003\u0004xl/workbook.xml',
      'the file is a workbook; rename it so that it ends in .xlsx',
    ],
    ['a.csv', 'Region,\u0001\nWest,1\n', 'the name of column 2 in the first row has a control'],
    ['a.csv', 'Region,Sales\nWest,1\nEast,2,3\n', 'line 3 of the file has 3 columns'],
    ['a.json', '{}', 'whose name ends in .csv, .tsv, .txt, .xlsx, .xlsm or .parquet.'],
  ])('%s with %j is refused with what to do', async (name, body, message) => {
    const answer = await admin.send('POST', `${at('/uploads')}?fileName=${name}`, { body });
    expectProblem(answer, 'invalid_request');
    expect(answer.json().detail).toContain(message);
    expect(answer.json().detail).not.toContain('administrator');
  });
});

it('a metric of a column that the file has lost says so', async () => {
  const data = 'Region,Sales\nWest,1\nEast,2\n';
  expect((await apply('lost', data, '', 'Sales')).status).toBe(200);
  const answer = await apply('lost', 'Region\nWest\n', '', 'Sales');
  expect(answer.json().errors).toEqual([
    {
      path: 'datasets/lost.yaml:2:17',
      message: 'the file has no column "Sales" any more, which is used by the metric "Total"',
    },
    {
      path: 'datasets/lost.yaml:5:36',
      message:
        'Total: the file has no column "Sales" any more; add it again, or remove what uses it',
    },
  ]);
});

it('the name of a file may contain brackets, as browsers write them', async () => {
  writeFiles(folder, { 'sales[1].csv': 'Region,Sales\nWest,7\n' });
  const files = { 'datasets/bracket.yaml': define('"sales[1].csv"', '', 'Sales') };
  const answer = await portal.api('PUT', '/api/content', { json: { files } });
  expect([answer.status, answer.body]).toEqual([200, expect.anything()]);
  expect(await sumOf('sales[1]', 1)).toBe(7);
});
