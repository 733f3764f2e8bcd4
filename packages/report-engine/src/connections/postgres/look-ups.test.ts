import { findPostgres, startPostgres, type PostgresCluster } from 'test-support';
import { afterAll, beforeAll, describe } from 'vitest';

import { testLookUps } from '../../../test/look-ups/cases.ts';
import { createPostgresTables } from '../../../test/look-ups/tables.ts';
import { ContentStage } from '../../../test/support/content.ts';
import { openConnections } from '../open.ts';

const connection = 'warehouse';

describe.skipIf(!findPostgres())('over PostgreSQL,', () => {
  let server: PostgresCluster;
  let stage: ContentStage;
  beforeAll(async () => {
    server = await startPostgres();
    const url = server.url('postgres');
    await createPostgresTables(url);
    const limits = { sourceQueries: 4, userQueries: 4, memoryMb: 256 };
    stage = new ContentStage(
      openConnections([{ name: connection, engine: 'postgres', url }], limits),
    );
  });
  afterAll(async () => {
    await stage.close();
    await server.stop();
  });

  testLookUps(() => ({ stage, sourceOf: (table) => ({ connection, table }) }));
});
