import { EventEmitter } from 'node:events';

import type pg from 'pg';
import { startStopwatch } from 'test-support/stopwatch';
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';

import { createGate } from './gate.ts';
import { computeCapacity, ConnectionTurns } from './turns.ts';

const failWith = (code: string) => () =>
  Promise.reject(Object.assign(new Error('refused'), { code }));

/** A pool of one connection to a fake server. */
class FakePool extends EventEmitter {
  ending = false;
  connect: () => Promise<pg.PoolClient> = () => Promise.resolve(this.open());

  open(query: () => Promise<unknown> = async () => ({ rows: [] })): pg.PoolClient {
    const client = { query, release: () => {} } as unknown as pg.PoolClient;
    this.emit('connect', client);
    return client;
  }
}

let pool: FakePool;
let events: string[];

beforeEach(() => {
  pool = new FakePool();
  events = [];
});

function startGate(options = { blocksThread: false }) {
  const turns = new ConnectionTurns(computeCapacity(1));
  const observer = {
    onLost: () => events.push('lost'),
    onReturned: () => events.push('returned'),
    onFailure: (cause: string) => events.push(cause),
  };
  return { turns, gate: createGate(pool as unknown as pg.Pool, turns, observer, options) };
}

it('a server without free connections is retried for two seconds', async () => {
  let nowMs = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
  onTestFinished(() => clock.mockRestore());
  const { gate } = startGate();
  const askedAt: number[] = [];
  pool.connect = () => {
    askedAt.push(nowMs);
    nowMs += 667;
    return failWith('53300')();
  };
  await expect(gate.connect('service')).rejects.toThrow('refused');
  expect(askedAt).toEqual([0, 667, 1_334]);
  // The server responds, so the database is not lost.
  expect(events).toEqual(['too_many_connections']);
});

it('a request to a full server is served once a connection is free', async () => {
  const { gate } = startGate();
  const open = pool.connect;
  let attempts = 0;
  pool.connect = () => ((attempts += 1) < 3 ? failWith('53300')() : open());
  const stop = startStopwatch();
  (await gate.connect('service')).release();
  expect([attempts, events]).toEqual([3, []]);
  expect(stop()).toBeLessThan(1_000);
});

it('a closing pool does not retry a full server', async () => {
  const { gate } = startGate();
  pool.ending = true;
  pool.connect = failWith('53300');
  await expect(gate.connect('service')).rejects.toThrow('refused');
});

it('a lost database is reported once and rejects the waiting requests', async () => {
  const { gate, turns } = startGate();
  let fail = () => {};
  pool.connect = () =>
    new Promise((_resolve, reject) => {
      fail = () => reject(Object.assign(new Error('away'), { code: 'ECONNREFUSED' }));
    });
  const requests = [1, 2, 3].map(() => gate.connect('service').catch(() => 'rejected'));
  await expect.poll(() => turns.waiting).toBe(2);
  fail();
  expect(await Promise.all(requests)).toEqual(['rejected', 'rejected', 'rejected']);
  pool.connect = failWith('ECONNREFUSED');
  await expect(gate.connect('service')).rejects.toThrow('refused');
  expect(events).toEqual(['unreachable', 'lost', 'unreachable']);
  pool.connect = async () => pool.open();
  (await gate.connect('service')).release();
  pool.open();
  expect(events).toEqual(['unreachable', 'lost', 'unreachable', 'returned']);
});

it('a database with an open connection is not lost', async () => {
  const { gate } = startGate();
  const client = await gate.connect('service');
  client.release();
  pool.connect = failWith('ECONNREFUSED');
  await expect(gate.connect('service')).rejects.toThrow('refused');
  expect(events).toEqual(['unreachable']);
  pool.emit('remove', client);
  await expect(gate.connect('service')).rejects.toThrow('refused');
  expect(events).toEqual(['unreachable', 'unreachable', 'lost']);
});

it('a failed query is reported with its cause, an invalid query is not', async () => {
  const { gate } = startGate();
  for (const code of ['57014', '42601']) {
    pool.connect = async () => pool.open(failWith(code));
    const client = await gate.connect('service');
    await expect(client.query('SELECT')).rejects.toThrow('refused');
    client.release();
  }
  expect(events).toEqual(['timeout']);
});

it.each([true, false])(
  'requests are read before the next turn only if queries block the thread: %s',
  async (blocksThread) => {
    const { gate } = startGate({ blocksThread });
    const order: string[] = [];
    const client = await gate.connect('service');
    const next = gate.connect('service').then(() => order.push('turn'));
    setImmediate(() => order.push('request'));
    client.release();
    await Promise.all([next, new Promise(setImmediate)]);
    expect(order[0]).toBe(blocksThread ? 'request' : 'turn');
  },
);

it('a pool that ends is not a lost database', async () => {
  const { gate } = startGate();
  pool.ending = true;
  pool.connect = failWith('ECONNREFUSED');
  await expect(gate.connect('service')).rejects.toThrow('refused');
  expect(events).toEqual(['unreachable']);
});

it('the pool gets the error with which a connection is released', async () => {
  const { gate } = startGate();
  const release = vi.fn();
  pool.connect = async () => Object.assign(pool.open(), { release });
  const error = new Error('broken');
  (await gate.connect('service')).release(error);
  expect(release).toHaveBeenCalledWith(error);
});
