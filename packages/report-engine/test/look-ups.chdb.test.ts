import { afterAll, beforeAll, describe } from 'vitest';

import { openConnections } from '../src/connections/open.ts';
import { testLookUps } from './look-ups/cases.ts';
import { createClickhouseTables } from './look-ups/tables.ts';
import { startChdb, type Chdb } from './support/chdb.ts';
import { ContentStage } from './support/content.ts';

const connection = 'clickhouse';

describe('over ClickHouse,', () => {
  let chdb: Chdb;
  let stage: ContentStage;
  beforeAll(async () => {
    chdb = await startChdb();
    await createClickhouseTables(chdb);
    const settings = { name: connection, engine: 'clickhouse', url: chdb.url } as const;
    const limits = { sourceQueries: 2, userQueries: 2, memoryMb: 512 };
    stage = new ContentStage(openConnections([settings], limits));
  });
  afterAll(async () => {
    await stage.close();
    await chdb[Symbol.asyncDispose]();
  });

  testLookUps(() => ({ stage, sourceOf: (table) => ({ connection, table }) }));
});
