import { describe, expect, it } from 'vitest';

import { ReportError } from '../../platform.ts';
import { Breaker } from './breaker.ts';

function createStage() {
  const clock = { now: 0 };
  const breaker = new Breaker(() => clock.now);
  const asked: string[] = [];
  const ask = (name: string, outcome: Promise<string>) =>
    breaker.run(() => {
      asked.push(name);
      return outcome;
    });
  const fail = (reason: ReportError['reason'] = 'unavailable') =>
    Promise.reject(new ReportError(reason, reason));
  return { clock, asked, ask, fail };
}

const never = new Promise<never>(() => {});

describe('while a database is unavailable', () => {
  it('others fail at once with the same error', async () => {
    const { ask, fail, asked } = createStage();
    await expect(ask('first', fail())).rejects.toThrow('unavailable');
    await expect(ask('second', never)).rejects.toThrow('unavailable');
    expect(asked).toEqual(['first']);
  });

  it('one asks again after a pause, and the others still fail at once', async () => {
    const { ask, fail, asked, clock } = createStage();
    await expect(ask('first', fail())).rejects.toThrow('unavailable');
    clock.now = 1_000;
    void ask('second', never);
    await expect(ask('third', never)).rejects.toThrow('unavailable');
    expect(asked).toEqual(['first', 'second']);
  });

  it('everybody asks again after a success', async () => {
    const { ask, fail, clock } = createStage();
    await expect(ask('first', fail())).rejects.toThrow('unavailable');
    clock.now = 1_000;
    expect(await ask('second', Promise.resolve('rows'))).toBe('rows');
    expect(await ask('third', Promise.resolve('rows'))).toBe('rows');
  });

  it('a reader who leaves lets the next one ask', async () => {
    const { ask, fail, clock } = createStage();
    await expect(ask('first', fail())).rejects.toThrow('unavailable');
    clock.now = 1_000;
    await expect(ask('second', Promise.reject(new Error('gone')))).rejects.toThrow('gone');
    expect(await ask('third', Promise.resolve('rows'))).toBe('rows');
  });
});

it('a statement that fails does not stop others', async () => {
  const { ask, fail } = createStage();
  await expect(ask('first', fail('timeout'))).rejects.toThrow('timeout');
  expect(await ask('second', Promise.resolve('rows'))).toBe('rows');
});
