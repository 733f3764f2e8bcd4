import path from 'node:path';

import { openDatabase, type Database } from '../../src/db/connection/open.ts';
import { createTestDatabase } from './database.ts';
import { createTestOrganization, type TestOrganization } from './organization.ts';

/** A database without a portal, for tests that apply content. */
export interface ContentDatabase {
  db: Database;
  dataDir: string;
  datasetFolder: string;
  createOrganization: (slug: string) => Promise<TestOrganization>;
  close: () => Promise<void>;
}

export async function openContentDatabase(): Promise<ContentDatabase> {
  const database = await createTestDatabase();
  const { db, close } = await openDatabase(database);
  const scope = { db, dataDir: database.dataDir, publicUrl: 'http://localhost:4000' };
  return {
    db,
    dataDir: database.dataDir,
    datasetFolder: path.join(database.dataDir, 'datasets'),
    createOrganization: (slug) => createTestOrganization(scope, slug),
    close: async () => {
      await close();
      await database.remove();
    },
  };
}
