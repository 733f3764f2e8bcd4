import { describe, expect, it } from 'vitest';

import { ReportError } from '#platform';

import { CircuitBreaker } from './circuit-breaker.ts';

function createBreaker() {
  const clock = { now: 0 };
  const breaker = new CircuitBreaker(() => clock.now);
  const sent: string[] = [];
  const send = (name: string, outcome: Promise<string>) =>
    breaker.run(() => {
      sent.push(name);
      return outcome;
    });
  const fail = (reason: ReportError['reason'] = 'unavailable') =>
    Promise.reject(new ReportError(reason, reason));
  return { clock, sent, send, fail };
}

const never = new Promise<never>(() => {});

describe('while a database is unavailable', () => {
  it('statements after a failure fail at once with the same error', async () => {
    const { send, fail, sent } = createBreaker();
    await expect(send('first', fail())).rejects.toThrow('unavailable');
    await expect(send('second', never)).rejects.toThrow('unavailable');
    expect(sent).toEqual(['first']);
  });

  it('after a pause one statement is sent, and the others still fail at once', async () => {
    const { send, fail, sent, clock } = createBreaker();
    await expect(send('first', fail())).rejects.toThrow('unavailable');
    clock.now = 1_000;
    void send('second', never);
    await expect(send('third', never)).rejects.toThrow('unavailable');
    expect(sent).toEqual(['first', 'second']);
  });

  it('after a success, all statements are sent again', async () => {
    const { send, fail, clock } = createBreaker();
    await expect(send('first', fail())).rejects.toThrow('unavailable');
    clock.now = 1_000;
    expect(await send('second', Promise.resolve('rows'))).toBe('rows');
    expect(await send('third', Promise.resolve('rows'))).toBe('rows');
  });

  it('after ten seconds without an answer, another statement is sent', async () => {
    const { send, fail, sent, clock } = createBreaker();
    await expect(send('first', fail())).rejects.toThrow('unavailable');
    clock.now = 1_000;
    void send('second', never);
    clock.now = 10_999;
    await expect(send('third', never)).rejects.toThrow('unavailable');
    clock.now = 11_000;
    expect(await send('fourth', Promise.resolve('rows'))).toBe('rows');
    expect(sent).toEqual(['first', 'second', 'fourth']);
  });

  it('if the reader leaves during an attempt, the next statement is sent', async () => {
    const { send, fail, clock } = createBreaker();
    await expect(send('first', fail())).rejects.toThrow('unavailable');
    clock.now = 1_000;
    await expect(send('second', Promise.reject(new Error('gone')))).rejects.toThrow('gone');
    expect(await send('third', Promise.resolve('rows'))).toBe('rows');
  });
});

it('a failure for another reason does not stop other statements', async () => {
  const { send, fail } = createBreaker();
  await expect(send('first', fail('timeout'))).rejects.toThrow('timeout');
  expect(await send('second', Promise.resolve('rows'))).toBe('rows');
});
