import { expect, it } from 'vitest';

import { compareKeys, compareValues } from './compare.ts';

it.each([
  ['9007199254740993', '9007199254740992', 1],
  ['9007199254740992', '9007199254740993', -1],
  ['-9007199254740993', '-9007199254740992', -1],
  ['9007199254740992.5', '9007199254740992.25', 1],
  ['10000000000000000000', 3, 1],
  ['2.50', '2.5', 0],
  ['1e400', 'Infinity', 0],
  ['1000000000000000000000', 1e21, 0],
] as const)('%s beside %s is compared digit by digit', (one, other, sign) => {
  expect(Math.sign(compareValues(one, other)) || 0).toBe(sign);
});

it.each([
  ['number', '9007199254740993', 12, 1],
  ['number', '9007199254740993', '10007199254740993', -1],
  ['number', null, '9007199254740993', 1],
  ['time', '2017-01-01', '2016-12-31', 1],
  ['time', '2017-01-01', null, -1],
  ['time', '2017-01-01', '2017-01-01', 0],
  ['time', null, null, 0],
] as const)('keys of kind %s: %s compared with %s is %i', (kind, one, other, sign) => {
  expect(Math.sign(compareKeys(kind, one, other))).toBe(sign);
});
