import path from 'node:path';

import { chooseRepetitions } from 'test-support/repetitions';
import { expect, it, onTestFinished, vi } from 'vitest';

import { acceptCommands } from '../../src/cli/control/control-server.ts';
import { run } from '../../src/cli/run.ts';
import { readConfig } from '../../src/config.ts';
import { openDatabase } from '../../src/db/connection/open.ts';
import { checkMoment, startLoad } from '../support/backup-load.ts';
import { createEmptyDatabase, createFolder } from '../support/backup.ts';
import { runForResult } from '../support/command-line.ts';
import { createTestDatabase } from '../support/database.ts';
import { createTestOrganization } from '../support/organization.ts';

vi.setConfig({ testTimeout: 1_200_000 });

it('a backup while mints, applies and uploads go on shows one moment', async () => {
  const database = await createTestDatabase();
  onTestFinished(database.remove);
  const datasetFolder = path.join(database.dataDir, 'datasets');
  const { db, close } = await openDatabase(database);
  onTestFinished(close);
  const scope = { db, dataDir: database.dataDir, publicUrl: 'http://localhost:4000' };
  const acme = await createTestOrganization(scope, 'acme');
  if (database.kind === 'embedded') {
    const config = readConfig({ PORTAL_DATA_DIR: database.dataDir });
    onTestFinished(await acceptCommands({ config, db, run }));
  }
  const load = startLoad(acme, datasetFolder);
  onTestFinished(load.stop);
  const repetitions =
    database.kind === 'embedded' ? chooseRepetitions(1, 10) : chooseRepetitions(3, 30);
  for (let repetition = 0; repetition < repetitions; repetition++) {
    const { pairs, applies } = load.counts;
    await expect.poll(() => load.counts.applies, { timeout: 60_000 }).toBeGreaterThan(applies);
    const file = path.join(createFolder(), 'portal.tar');
    await runForResult(database, ['backup', file]);
    const restored = await createEmptyDatabase();
    await runForResult(restored, ['restore', file]);
    const opened = await openDatabase(restored);
    const moment = await checkMoment(opened.db, acme, path.join(restored.dataDir, 'datasets'));
    await opened.close();
    expect(moment.pairs).toBeGreaterThanOrEqual(pairs);
    expect(moment.applies).toBeGreaterThan(applies);
  }
  await load.stop();
});
