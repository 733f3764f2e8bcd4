import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { parseElapsed, parseFuture, parsePast, parseWhole } from './parsers.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
});
afterEach(() => {
  vi.useRealTimers();
});

describe('the time parsers', () => {
  it.each([
    ['0m', 0],
    ['90m', 90],
    ['24h', 1_440],
    ['400d', 576_000],
  ])('read %s as an offset of %i minutes', (text, minutes) => {
    const now = Date.now();
    expect(parseFuture(text).getTime() - now).toBe(minutes * 60_000);
    expect(now - parsePast(text).getTime()).toBe(minutes * 60_000);
  });

  it.each([
    ['2027-01-31', '2027-01-31T00:00:00.000Z'],
    ['2027-01-31T09:00Z', '2027-01-31T09:00:00.000Z'],
    ['2027-01-31T09:00:00.5+02:00', '2027-01-31T07:00:00.500Z'],
  ])('read %s as the calendar time %s', (text, time) => {
    for (const parse of [parseFuture, parsePast]) expect(parse(text).toISOString()).toBe(time);
  });

  it.each([
    '',
    'tomorrow',
    '2027',
    '2027-13-01',
    '2027-02-29',
    '2027-04-31T09:00Z',
    '2027-01-31T09:00',
    '-5d',
    '5',
    '5w',
    '1.5h',
  ])('reject "%s"', (text) => {
    for (const parse of [parseFuture, parsePast]) expect(() => parse(text)).toThrow('Write a');
  });
});

it('parseElapsed accepts only a time in the past', () => {
  for (const text of ['400d', '0m', '2020-01-01'])
    expect(parseElapsed(text)).toEqual(expect.any(Date));
  for (const text of ['2099-01-01', new Date(Date.now() + 60_000).toISOString()])
    expect(() => parseElapsed(text)).toThrow('in the past');
});

it('parseWhole accepts only whole numbers from 1', () => {
  expect(parseWhole('250')).toBe(250);
  for (const text of ['', '0', '-1', '1.5', '1e3', 'x', '9'.repeat(20)])
    expect(() => parseWhole(text)).toThrow('whole number');
});
