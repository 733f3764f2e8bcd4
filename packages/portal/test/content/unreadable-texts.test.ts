import path from 'node:path';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { signInAs, type AdminBrowser } from '../support/admin.ts';
import { writeFiles } from '../support/content-files.ts';
import { expectProblem } from '../support/http.ts';
import { startTestPortal, type TestPortal } from '../support/portal.ts';

let portal: TestPortal;
let admin: AdminBrowser;
beforeAll(async () => {
  portal = await startTestPortal();
  admin = await signInAs(portal, portal.acme, 1, 'ada@acme.example');
});
afterAll(() => portal.close());

const at = (rest: string) => `/organizations/${portal.acme.id}${rest}`;

/** Applies a dataset, and returns its id and the hints. */
async function apply(data: string, expression: string) {
  writeFiles(path.join(portal.datasetFolder, portal.acme.id), { 'orders.csv': data });
  const dataset = `name: Orders
source: { file: orders.csv }
rowAccess: everyone
fields:
  - { name: Read, expression: "${expression}" }
metrics:
  - { name: Total, expression: count(Read) }
`;
  const files = { 'datasets/orders.yaml': dataset };
  const answer = await portal.api('PUT', '/api/content', { json: { files } });
  expect(answer.status).toBe(200);
  const { datasets } = (await admin.send('GET', at('/datasets'))).json();
  const { hints } = answer.json() as { hints: string[] };
  return { id: datasets[0].id as string, hints };
}

const address = (id: string) => at(`/datasets/${id}/unreadable-texts`);

it('the page of a dataset names the texts that its fields cannot read, as the apply does', async () => {
  const data = 'Amount,Day\n"1,5",29.02.2024\nn/a,30.02.2024\n"2,5",\n';
  const amounts = await apply(data, "to_number(Amount, ',')");
  const text = 'Read: 1 text cannot be read by to_number, such as "n/a"; they count as null';
  expect(amounts.hints).toContain(`datasets/orders.yaml: ${text}`);
  for (let count = 0; count < 2; count += 1)
    expect((await admin.send('GET', address(amounts.id))).json()).toEqual({ texts: [text] });
  const days = await apply(data, "to_date(Day, '%d.%m.%Y')");
  expect((await admin.send('GET', address(days.id))).json()).toEqual({
    texts: ['Read: 1 text cannot be read by to_date, such as "30.02.2024"; they count as null'],
  });
  const replaced = await apply(data.replace('n/a', '3'), "to_number(Amount, ',')");
  expect((await admin.send('GET', address(replaced.id))).json()).toEqual({ texts: [] });
});

it('only administrators of the organization see them', async () => {
  const { id } = await apply('Amount\n"1,5"\nn/a\n', "to_number(Amount, ',')");
  const contributor = await signInAs(portal, portal.acme, 2, 'con@acme.example');
  expectProblem(await contributor.send('GET', address(id)), 'missing_permission');
  const gus = await signInAs(portal, portal.globex, 1, 'gus@globex.example');
  const foreign = address(id).replace(portal.acme.id, portal.globex.id);
  expectProblem(await gus.send('GET', foreign), 'dataset_not_found');
});
