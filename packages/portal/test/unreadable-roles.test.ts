import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { linkUsers } from '../src/access/role-links.ts';
import { findVisibleRows } from '../src/access/visible-rows.ts';
import { operatorContext, type Context } from '../src/actor/actor.ts';
import { createOrganization } from '../src/organizations/service.ts';
import { createUser } from '../src/users/service.ts';
import { apply, openContentDatabase, ordersFiles, writeFiles } from './support/content-files.ts';

let database: Awaited<ReturnType<typeof openContentDatabase>>;
let ctx: Context;
const reader = { organizationId: '', userId: '', datasetId: '' };

beforeAll(async () => {
  database = await openContentDatabase();
  const { db, datasetFolder } = database;
  const slug = 'acme';
  const organizationId = await createOrganization(db, { slug, name: slug, accentColor: '#0f6e56' });
  ctx = operatorContext({ db, publicUrl: 'http://localhost:4000', organizationId });
  writeFiles(`${datasetFolder}/${organizationId}`, {
    'orders.csv': 'Region,Ordered,Sales\nWest,2024-01-03,10\n',
  });
  const { changes } = await apply(ctx, datasetFolder, { files: ordersFiles });
  const datasetId = changes.find(({ kind }) => kind === 'dataset')!.id;
  const email = 'ann@acme.example';
  const { id: userId } = await createUser(ctx, { email, name: 'Ann', role: 3 });
  for (const role of ['West', 'East'])
    await linkUsers(ctx, { datasetId, role, usersEmails: [email] });
  Object.assign(reader, { organizationId, userId, datasetId });
});
afterAll(() => database.close());

it.each<[string, unknown]>([
  ['a predicate of the first release', { column: 'Region', in: ['West'] }],
  ['a predicate of the first release for all rows', { all: [] }],
  ['an unknown operator', { field: 'Region', startsWith: 'W' }],
  ['two operators', { field: 'Region', in: ['West'], equals: 'East' }],
  ['no operator', {}],
  ['an unknown text', 'everything'],
  ['null', null],
])('a role with %s gives no rows, and the other roles of its reader do', async (_case, stored) => {
  const { db } = database;
  const find = async () => (await findVisibleRows(db, reader))?.rows;
  await sql`UPDATE rls_roles SET predicate = ${JSON.stringify(stored)}::jsonb
    WHERE name = 'West'`.execute(db);
  expect(await find()).toEqual([{ field: 'Region', in: ['East'] }]);
  const other = await sql`UPDATE rls_roles SET predicate = ${JSON.stringify(stored)}::jsonb
    WHERE name = 'East' RETURNING id`.execute(db);
  expect(other.rows).toHaveLength(1);
  expect(await find()).toEqual([]);
  await sql`UPDATE rls_roles SET predicate = '{"field": "Region", "in": ["East"]}'
    WHERE name = 'East'`.execute(db);
});
