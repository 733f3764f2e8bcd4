import type pg from 'pg';
import { expect, it } from 'vitest';

import { migrate } from './migrate.ts';

/** A pool whose statements fail with `code`, and how often each was run. */
function createFailingPool(code: string) {
  const counts = { BEGIN: 0, ROLLBACK: 0, released: 0 };
  const client = {
    query: async (statement: keyof typeof counts) => {
      counts[statement] += 1;
      throw Object.assign(new Error(statement), { code });
    },
    release: () => {
      counts.released += 1;
    },
  };
  return { pool: { connect: async () => client } as unknown as pg.Pool, counts };
}

it('a migration that meets a table in use is tried 120 times', async () => {
  const { pool, counts } = createFailingPool('55P03');
  let pauses = 0;
  const failed = migrate(pool, async () => (pauses += 1));
  // A rollback that fails does not hide why.
  await expect(failed).rejects.toThrow('BEGIN');
  expect(counts).toEqual({ BEGIN: 120, ROLLBACK: 120, released: 120 });
  expect(pauses).toBe(119);
});

it('a migration that fails for another reason is not tried again', async () => {
  const { pool, counts } = createFailingPool('42601');
  await expect(migrate(pool)).rejects.toThrow('BEGIN');
  expect(counts).toEqual({ BEGIN: 1, ROLLBACK: 1, released: 1 });
});

it('a migration waits for a table less than a second at first, so that it ends no request in a deadlock', async () => {
  const waits: string[] = [];
  const client = {
    query: async (statement: string) => {
      const [, wait] = /^SET LOCAL lock_timeout = '(.+)'$/.exec(statement) ?? [];
      if (wait === undefined) return;
      waits.push(wait);
      throw Object.assign(new Error('held'), { code: '55P03' });
    },
    release: () => {},
  };
  const pool = { connect: async () => client } as unknown as pg.Pool;
  await expect(migrate(pool, async () => {})).rejects.toThrow('held');
  expect(waits).toEqual([...Array<string>(20).fill('500ms'), ...Array<string>(100).fill('1s')]);
});
