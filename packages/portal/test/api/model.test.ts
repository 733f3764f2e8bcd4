import fc from 'fast-check';
import { chooseRepetitions } from 'test-support/repetitions';
import { readSeed } from 'test-support/seed';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { openDatabase, type OpenDatabase } from '../../src/db/connection/open.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { commands } from './model/commands.ts';
import { compareAll } from './model/compare.ts';
import { createStage, World, type Stage } from './model/world.ts';

fc.configureGlobal({ seed: readSeed() });

const runs = chooseRepetitions(12, 1_000);

let database: TestDatabase;
let open: OpenDatabase;
let stages: Stage[];
beforeAll(async () => {
  database = await createTestDatabase();
  open = await openDatabase(database);
  const scope = { db: open.db, dataDir: database.dataDir };
  stages = [await createStage(scope, 'one'), await createStage(scope, 'two')];
});
afterAll(async () => {
  await open.close();
  await database.remove();
});

describe('the service functions', () => {
  it(`users, groups, reports, roles and access match a model of sets in ${runs} random sequences of commands`, async () => {
    let count = 0;
    await fc.assert(
      fc.asyncProperty(commands, async (sequence) => {
        const world = await World.open(open.db, stages);
        try {
          for (const command of sequence) await command.run(world);
          for (const side of world.sides) await compareAll(world, side);
          count += sequence.length;
        } finally {
          await world.close();
        }
      }),
      { numRuns: runs, verbose: true },
    );
    console.log(`${runs} sequences, ${count} commands`);
    // A sequence has twelve commands on average, but the average of few sequences varies.
    expect(count).toBeGreaterThan(runs * 2);
  }, 600_000);
});
