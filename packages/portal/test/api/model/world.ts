import path from 'node:path';

import type { ControlledTransaction } from 'kysely';

import { operatorContext, type Context } from '../../../src/actor/actor.ts';
import type { Database } from '../../../src/db/connection/open.ts';
import type { Schema } from '../../../src/db/schema.ts';
import { PortalError } from '../../../src/errors.ts';
import { createOrganization } from '../../../src/organizations/service.ts';
import { addItems, regionRole } from '../../support/items.ts';
import { OracleOrganization } from './oracle.ts';

export const publicUrl = 'http://localhost:4000';

/** The initial state of an organization: reports of two datasets, roles of one. */
export interface Stage {
  organizationId: string;
  /** The first three read the first dataset, the fourth the second one. */
  reports: string[];
  datasets: [string, string];
  roles: { name: string; datasetId: string }[];
}

export async function createStage(
  { db, dataDir }: { db: Database; dataDir: string },
  slug: string,
): Promise<Stage> {
  const organizationId = await createOrganization(db, { slug, name: slug, accentColor: '#000000' });
  const ctx = operatorContext({ db, publicUrl, organizationId });
  const names = ['West', 'East', 'North'];
  const { datasets, reports } = await addItems(ctx, path.join(dataDir, 'datasets'), {
    datasets: { first: { roles: names.map(regionRole) }, second: {} },
    reports: {
      a: { dataset: 'first' },
      b: { dataset: 'first' },
      c: { dataset: 'first' },
      d: { dataset: 'second' },
    },
  });
  const [first = '', second = ''] = [datasets['first'], datasets['second']];
  const roles = names.map((name) => ({ name, datasetId: first }));
  return { organizationId, reports: Object.values(reports), datasets: [first, second], roles };
}

/** An organization in the portal and in the oracle. */
export interface Side {
  stage: Stage;
  oracle: OracleOrganization;
}

export type Outcome<Result> = { done: Result } | { refused: string };

/** Two organizations in one transaction, which is rolled back after each sequence. */
export class World {
  readonly sides: Side[];
  readonly #transaction: ControlledTransaction<Schema, string[]>;

  private constructor(transaction: ControlledTransaction<Schema, string[]>, stages: Stage[]) {
    this.#transaction = transaction;
    this.sides = stages.map((stage) => ({ stage, oracle: new OracleOrganization(stage.roles) }));
  }

  static async open(db: Database, stages: Stage[]): Promise<World> {
    return new World(await db.startTransaction().execute(), stages);
  }

  get db(): Database {
    return this.#transaction;
  }

  context(side: Side): Context {
    const { organizationId } = side.stage;
    return operatorContext({ db: this.db, publicUrl, organizationId });
  }

  /** Runs an operation in a savepoint and returns its result or its error code. */
  async attempt<Result>(operation: () => Promise<Result>): Promise<Outcome<Result>> {
    const savepoint = await this.#transaction.savepoint('operation').execute();
    try {
      return { done: await operation() };
    } catch (error) {
      if (!(error instanceof PortalError)) throw error;
      await savepoint.rollbackToSavepoint('operation').execute();
      return { refused: error.code };
    }
  }

  async close(): Promise<void> {
    await this.#transaction.rollback().execute();
  }
}
