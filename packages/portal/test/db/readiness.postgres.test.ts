import { randomUUID } from 'node:crypto';

import pg from 'pg';
import { send } from 'test-support';
import { expect, it, onTestFinished } from 'vitest';

import { openDatabase } from '../../src/db/connection/open.ts';
import { createTestDatabase } from '../support/database.ts';
import { startTestPortal } from '../support/portal.ts';

it('an instance is ready only after all connections of its pool are open', async () => {
  const portal = await startTestPortal({ openOptions: { databaseConnections: 7 } });
  onTestFinished(() => portal.close());
  expect((await send(`${portal.publicUrl}/readyz`)).status).toBe(200);
  expect(portal.usage()).toMatchObject({ max: 7, total: 7, waiting: 0 });
});

it('an instance is ready even if the server accepts fewer connections than the pool may open', async () => {
  const database = await createTestDatabase();
  const role = `few_${randomUUID().slice(0, 8)}`;
  const owner = new pg.Client({ connectionString: database.databaseUrl });
  await owner.connect();
  await owner.query(
    `CREATE ROLE ${role} LOGIN CONNECTION LIMIT 5; GRANT SELECT ON schema_migrations, organizations TO ${role}`,
  );
  const url = new URL(database.databaseUrl!);
  url.username = role;
  const opened = await openDatabase({ ...database, databaseUrl: url.href, migrate: false });
  onTestFinished(async () => {
    await opened.close();
    await owner.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
    await owner.end();
    await database.remove();
  });
  await opened.checkReady();
  // The readiness check uses the fifth connection.
  expect(opened.usage()).toMatchObject({ max: 10, total: 4 });
});
