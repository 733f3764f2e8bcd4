import { describe, expect, it } from 'vitest';

import { parseElapsed, parseFuture, parsePast, parseWhole } from './parsers.ts';

const minutesFromNow = (moment: Date) => Math.round((moment.getTime() - Date.now()) / 60_000);

describe('a moment', () => {
  it.each([
    ['0m', 0],
    ['90m', 90],
    ['24h', 1_440],
    ['400d', 576_000],
  ])('%s is so long from now, or ago', (text, minutes) => {
    expect(minutesFromNow(parseFuture(text))).toBe(minutes);
    expect(minutesFromNow(parsePast(text)) + minutes).toBe(0);
  });

  it.each([
    ['2027-01-31', '2027-01-31T00:00:00.000Z'],
    ['2027-01-31T09:00Z', '2027-01-31T09:00:00.000Z'],
    ['2027-01-31T09:00:00.5+02:00', '2027-01-31T07:00:00.500Z'],
  ])('%s is a moment of the calendar', (text, moment) => {
    for (const parse of [parseFuture, parsePast]) expect(parse(text).toISOString()).toBe(moment);
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
  ])('"%s" is none', (text) => {
    for (const parse of [parseFuture, parsePast]) expect(() => parse(text)).toThrow('Write a');
  });
});

it('takes for what is to be removed only a moment that has passed', () => {
  for (const text of ['400d', '0m', '2020-01-01'])
    expect(parseElapsed(text)).toEqual(expect.any(Date));
  for (const text of ['2099-01-01', new Date(Date.now() + 60_000).toISOString()])
    expect(() => parseElapsed(text)).toThrow('in the past');
});

it('takes whole numbers from 1 on and nothing else', () => {
  expect(parseWhole('250')).toBe(250);
  for (const text of ['', '0', '-1', '1.5', '1e3', 'x', '9'.repeat(20)])
    expect(() => parseWhole(text)).toThrow('whole number');
});
