import fs from 'node:fs';
import path from 'node:path';

import { sql } from 'kysely';
import { createTemporaryFolder } from 'test-support';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { applyContent } from '../../src/content/service.ts';
import { lockForChange } from '../../src/organizations/store.ts';
import { openContentDatabase, type ContentDatabase } from '../support/content-database.ts';
import { ordersFiles, writeFiles } from '../support/content-files.ts';
import { ordersCsv } from '../support/orders.ts';
import type { TestOrganization } from '../support/organization.ts';

let database: ContentDatabase;
let acme: TestOrganization;
let dataFolder: string;
beforeAll(async () => {
  database = await openContentDatabase();
  acme = await database.createOrganization('acme');
  dataFolder = createTemporaryFolder('portal-content-');
  writeFiles(dataFolder, { 'orders.csv': ordersCsv });
  await apply();
});
afterAll(async () => {
  fs.rmSync(dataFolder, { recursive: true });
  await database.close();
});

const apply = () =>
  applyContent(
    acme.ctx,
    { datasetFolder: database.datasetFolder, dataFolder },
    { files: ordersFiles },
  );

const organizationFile = (name: string) => path.join(database.datasetFolder, acme.id, name);

const listCopies = () =>
  fs
    .readdirSync(organizationFile('.versions'))
    .filter((name) => name.endsWith('.tmp'))
    .map((name) => fs.readFileSync(organizationFile(`.versions/${name}`), 'utf8'));

it('data files are copied before the transaction, which only renames the copies', async () => {
  const changed = `${ordersCsv}North,,Desks,2024-03-02,5\n`;
  writeFiles(dataFolder, { 'orders.csv': changed });
  let applied: ReturnType<typeof apply> | undefined;
  await database.db.transaction().execute(async (transaction) => {
    await lockForChange(transaction, acme.id);
    applied = apply();
    await expect.poll(listCopies).toContain(changed);
    expect(fs.readFileSync(organizationFile('orders.csv'), 'utf8')).toBe(ordersCsv);
  });
  expect((await applied!).changes[0]).toMatchObject({ change: 'update' });
  expect(fs.readFileSync(organizationFile('orders.csv'), 'utf8')).toBe(changed);
  expect(listCopies()).toEqual([]);
});

it('an edit in the portal while data files are copied is a conflict', async () => {
  const before = fs.readFileSync(organizationFile('orders.csv'), 'utf8');
  const changed = `${ordersCsv}South,,Desks,2024-03-02,7\n`;
  writeFiles(dataFolder, { 'orders.csv': changed });
  let refused: Promise<string> | undefined;
  await database.db.transaction().execute(async (transaction) => {
    await lockForChange(transaction, acme.id);
    refused = apply().then(
      () => 'applied',
      (error: { code: string }) => error.code,
    );
    await expect.poll(listCopies).toContain(changed);
    await sql`UPDATE datasets SET edited_at = now(), content = content || '# edited'
      WHERE organization_id = ${acme.id} AND slug = 'orders'`.execute(transaction);
  });
  expect(await refused).toBe('content_conflict');
  expect(fs.readFileSync(organizationFile('orders.csv'), 'utf8')).toBe(before);
  expect(listCopies()).toEqual([]);
});
