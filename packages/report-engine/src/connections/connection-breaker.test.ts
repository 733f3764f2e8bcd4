import { expect, it, vi } from 'vitest';

import { ReportError } from '#platform';

import { QueryTurns } from '../limits/turns.ts';
import { ConnectionBreaker } from './connection-breaker.ts';

const never = new AbortController().signal;
const ann = { organizationId: 'acme', userId: 'ann' };
const gil = { organizationId: 'globex', userId: 'gil' };
const away = (text: string) => new ReportError('unavailable', text);

function createBreaker() {
  const clock = { now: 0 };
  const probe = vi.fn(async (): Promise<unknown> => undefined);
  const turns = new QueryTurns({ concurrency: 4, perUser: 2 });
  const breaker = new ConnectionBreaker(turns, probe, () => clock.now);
  const send = (owner: typeof ann, work: () => Promise<string> = async () => 'rows') =>
    breaker.run(owner, never, work);
  const fail = (owner: typeof ann) =>
    send(owner, async () => {
      throw away('its statement failed');
    });
  return { clock, probe, turns, send, fail };
}

/** Waits until the probes have ended. */
const settle = (turns: QueryTurns) => expect.poll(() => turns.usage().running).toBe(0);

it('a statement that looks like an unavailable database stops its organization alone', async () => {
  const { clock, probe, turns, send, fail } = createBreaker();
  for (let round = 1; round <= 5; round += 1) {
    await expect(fail(ann)).rejects.toThrow('its statement failed');
    await settle(turns);
    expect(probe).toHaveBeenCalledTimes(round);
    await expect(send(ann)).rejects.toThrow('its statement failed');
    expect(await send(gil)).toBe('rows');
    clock.now += 1_000;
  }
  expect(await send(ann)).toBe('rows');
});

it('statements that fail at once send no further probe', async () => {
  const { probe, turns, send, fail } = createBreaker();
  await expect(fail(ann)).rejects.toThrow('its statement failed');
  await settle(turns);
  for (let round = 0; round < 10; round += 1) await expect(send(ann)).rejects.toThrow('failed');
  await settle(turns);
  expect(probe).toHaveBeenCalledTimes(1);
});

it('if the probe fails, too, all organizations fail at once, and a probe tries again after a pause', async () => {
  const { clock, probe, turns, send, fail } = createBreaker();
  probe.mockRejectedValue(away('the probe failed'));
  await expect(fail(ann)).rejects.toThrow('its statement failed');
  await settle(turns);
  const work = vi.fn(async () => 'rows');
  await expect(send(gil, work)).rejects.toThrow('the probe failed');
  expect(probe).toHaveBeenCalledTimes(1);
  clock.now += 1_000;
  await expect(send(gil, work)).rejects.toThrow('the probe failed');
  expect(probe).toHaveBeenCalledTimes(2);
  expect(work).not.toHaveBeenCalled();
  clock.now += 1_000;
  probe.mockResolvedValue(undefined);
  expect(await send(gil, work)).toBe('rows');
  expect(await send(ann)).toBe('rows');
  expect(probe).toHaveBeenCalledTimes(3);
});

it('one probe runs at a time, and it takes a turn', async () => {
  const { probe, turns, fail } = createBreaker();
  let finish!: () => void;
  probe.mockReturnValue(new Promise<void>((resolve) => (finish = resolve)));
  await expect(fail(ann)).rejects.toThrow('its statement failed');
  await expect(fail(gil)).rejects.toThrow('its statement failed');
  expect(turns.usage()).toEqual({ running: 1, waiting: 0 });
  expect(probe).toHaveBeenCalledTimes(1);
  finish();
  await settle(turns);
});

it('a failure for another reason sends no probe', async () => {
  const { probe, turns, send } = createBreaker();
  const late = new ReportError('timeout', 'too slow');
  await expect(send(ann, () => Promise.reject(late))).rejects.toBe(late);
  await settle(turns);
  expect(probe).not.toHaveBeenCalled();
  expect(await send(ann)).toBe('rows');
});
