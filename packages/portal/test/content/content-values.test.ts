import fs from 'node:fs';
import path from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { signInAs, type AdminBrowser } from '../support/admin.ts';
import { writeFiles } from '../support/content-files.ts';
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

/** Applies a dataset of a file with a single column `x` over the API. */
async function apply(slug: string, values: readonly string[], properties = '') {
  writeFiles(folder, { [`${slug}.csv`]: `x|y\n${values.map((each) => `${each}|z\n`).join('')}` });
  const dataset = `name: Sales
source: { file: ${slug}.csv, csv: { delimiter: '|' } }
rowAccess: everyone
${properties}`;
  return portal.api('PUT', '/api/content', {
    json: { files: { [`datasets/${slug}.yaml`]: dataset } },
  });
}

async function readPage(slug: string) {
  const { datasets } = (await admin.send('GET', at('/datasets'))).json();
  const { id } = datasets.find(({ source }: { source: string }) => source === `${slug}.csv`);
  return (await admin.send('GET', at(`/datasets/${id}`))).json();
}

const typeOf = async (slug: string) => (await readPage(slug)).fields[0].type as string;

async function sampleOf(slug: string) {
  const { id } = await readPage(slug);
  const { rows } = (await admin.send('GET', at(`/datasets/${id}/sample`))).json();
  return (rows as unknown[][]).map(([value]) => value);
}

describe('the first apply of a dataset', () => {
  it.each([
    [
      'currency',
      ['$5', '$7.50'],
      'column "x" has a sign of several currencies ($5, $7.50); write format: { style: currency, currency: USD } on the field, or another currency, such as CAD or AUD, or give the field type: text',
      'format: { style: currency, currency: CAD }',
      [5, 7.5],
    ],
    [
      'days',
      ['01/02/2024', '03/04/2024'],
      'column "x" has two interpretations: "01/02/2024", "03/04/2024" can be 2024-02-01, 2024-04-03 or 2024-01-02, 2024-03-04; write date: "%d/%m/%Y", or date: "%m/%d/%Y" on the field, or give the field type: text',
      "date: '%m/%d/%Y'",
      ['2024-01-02', '2024-03-04'],
    ],
    [
      'codes',
      ['1E10', '7'],
      'column "x" has two interpretations: "1E10", "7" can be 1E10, 7 or 10000000000, 7 (total 10000000007); write type: text, or type: number on the field',
      'type: text',
      ['1E10', '7'],
    ],
    [
      'century',
      ['15.06.68'],
      'column "x" has two interpretations: "15.06.68" can be 2068-06-15 or 1968-06-15; write date: "%d.%m.%y" and yearsFrom: 1969, or date: "%d.%m.%y" and yearsFrom: 1930 on the field, or give the field type: text',
      "date: '%d.%m.%y', yearsFrom: 1930",
      ['1968-06-15'],
    ],
  ])(
    'asks about the %s of %j until the field answers',
    async (slug, values, message, answer, rows) => {
      const asked = await apply(slug, values);
      expectProblem(asked, 'invalid_content');
      expect(asked.json().errors).toEqual([
        { path: `datasets/${slug}.yaml:2:17`, message: `${slug}.csv: ${message}` },
      ]);
      const answered = await apply(slug, values, `fields: [{ name: x, ${answer} }]\n`);
      expect([answered.status, answered.json().hints]).toEqual([200, []]);
      expect(await sampleOf(slug)).toEqual(rows);
    },
  );

  it('reads percents', async () => {
    const files = `fields: [{ name: y, description: text }]\nmetrics: [{ name: Share, expression: avg(x) }]\n`;
    expect((await apply('percent', ['12.5%', '7%'], files)).status).toBe(200);
    expect([await typeOf('percent'), await sampleOf('percent')]).toEqual(['number', [0.07, 0.125]]);
  });

  it('reads times with an offset in the time zone of the dataset, also after that changes', async () => {
    const values = ['2024-03-31T00:30:00Z', '2024-10-27T00:30:00+02:00', '2024-10-27T01:30:00Z'];
    const expected = {
      'Europe/Berlin': ['2024-03-31 01:30:00', '2024-10-27 00:30:00', '2024-10-27 02:30:00'],
      'America/New_York': ['2024-03-30 20:30:00', '2024-10-26 18:30:00', '2024-10-26 21:30:00'],
    };
    for (const [zone, rows] of Object.entries(expected)) {
      expect((await apply('zoned', values, `timeZone: ${zone}\n`)).status).toBe(200);
      const sample = await sampleOf('zoned');
      expect(sample.map((each) => String(each).replace('T', ' '))).toEqual(rows);
    }
    const versions = fs.readdirSync(path.join(folder, '.versions'));
    expect(versions.filter((name) => name.endsWith('.parquet')).length).toBeGreaterThan(0);
  });
});

describe('a dataset that was applied before', () => {
  const percent = 'zwölf 12';

  it('keeps a column as text whose values a new release reads, until its field has a type', async () => {
    expect((await apply('kept', ['12.5%', percent])).status).toBe(200);
    expect(await typeOf('kept')).toBe('text');
    const again = await apply('kept', ['12.5%', '7%']);
    const message =
      'kept.csv: column "x" has two interpretations: "12.5%", "7%" can be 12.5%, 7% or 0.125, 0.07 (total 0.195); write type: text, or type: number on the field';
    expect([again.status, again.json().hints]).toEqual([200, [message]]);
    expect(await typeOf('kept')).toBe('text');
    expect((await readPage('kept')).questions).toMatchObject([
      { file: 'kept.csv', about: 'numbers' },
    ]);
    // The same content stays as it is.
    const unchanged = await apply('kept', ['12.5%', '7%']);
    expect(unchanged.json().changes).toMatchObject([{ change: 'unchanged' }]);
    const typed = await apply('kept', ['12.5%', '7%'], 'fields: [{ name: x, type: number }]\n');
    expect([typed.status, typed.json().hints, await typeOf('kept')]).toEqual([200, [], 'number']);
  });

  it('keeps columns that are asked about now, and its check and its page warn', async () => {
    expect((await apply('digits', ['20240105', '5'])).status).toBe(200);
    const again = await apply('digits', ['20240105', '20241231']);
    expect([again.status, await typeOf('digits')]).toEqual([200, 'integer']);
    expect(again.json().hints).toEqual([
      expect.stringContaining('"20240105", "20241231" can be 2024-01-05, 2024-12-31 or 20240105'),
    ]);
    expect((await readPage('digits')).questions).toMatchObject([{ about: 'dates' }]);
    // With other options, it is asked like a new one.
    const other = await apply(
      'digits',
      ['20240105', '20241231'],
      'fields: [{ name: x, type: text }]\n',
    );
    expect(other.status).toBe(200);
    expectProblem(await apply('digits', ['20240105', '20241231']), 'invalid_content');
  });
});

describe('an uploaded file', () => {
  it('is asked about, and becomes a dataset with the answers', async () => {
    const body = 'Day;Price;Share\n01/02/2024;$5;7%\n03/04/2024;$7;n/a\n';
    const { uploadId, questions, hints, reading } = (
      await admin.send('POST', `${at('/uploads')}?fileName=values.csv`, { body })
    ).json();
    expect(questions.map(({ about }: { about: string }) => about)).toEqual(['dates', 'currency']);
    expect(hints).toEqual([]);
    expect(reading.csv).toMatchObject({ delimiter: ';', nulls: ['n/a'] });
    const create = (answers: object) =>
      admin.send('POST', at(`/uploads/${uploadId}`), {
        json: { name: 'Values', workspace: 'Reports', ...answers },
      });
    expectProblem(await create({}), 'invalid_request');
    const fields = Object.assign(
      {},
      ...questions.map(
        ({ interpretations }: { interpretations: { fields: object }[] }) =>
          interpretations[0]!.fields,
      ),
    );
    const created = await create({ fields });
    expect([created.status, created.body]).toEqual([200, expect.anything()]);
    const { rows } = (
      await admin.send('GET', at(`/datasets/${created.json().datasetId}/sample`))
    ).json();
    expect(rows).toEqual([
      ['2024-02-01', 5, 0.07],
      ['2024-04-03', 7, null],
    ]);
  });
});
