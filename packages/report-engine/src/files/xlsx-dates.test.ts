import { expect, it } from 'vitest';

import { readDuration, readSerial } from './xlsx-dates.ts';

it.each([
  [1, false, '1900-01-01 00:00:00'],
  [59, false, '1900-02-28 00:00:00'],
  [61, false, '1900-03-01 00:00:00'],
  [45_322, false, '2024-01-31 00:00:00'],
  [45_322.770833333336, false, '2024-01-31 18:30:00'],
  [45_322.999988425923, false, '2024-01-31 23:59:59'],
  [45_322.9999999999, false, '2024-02-01 00:00:00'],
  [45_322.00000578704, false, '2024-01-31 00:00:00.500'],
  [2_958_465, false, '9999-12-31 00:00:00'],
  [0, true, '1904-01-01 00:00:00'],
  [43_860, true, '2024-01-31 00:00:00'],
  [2_957_003, true, '9999-12-31 00:00:00'],
])('the serial number %d (1904: %s) is %s', (serial, is1904, expected) => {
  const read = readSerial(serial, is1904);
  expect(`${read?.day} ${read?.time}`).toBe(expected);
});

it.each([
  [0, false],
  [-1, false],
  // Excel counts February 29, 1900, which did not exist.
  [60, false],
  [60.5, false],
  [2_958_466, false],
  [-1, true],
  [2_957_004, true],
])('the serial number %d (1904: %s) is no day', (serial, is1904) => {
  expect(readSerial(serial, is1904)).toBeUndefined();
});

it.each([
  [0, '00:00:00'],
  [0.5, '12:00:00'],
  [0.354166666666667, '08:30:00'],
  [1.10416666666667, '26:30:00'],
  [100, '2400:00:00'],
  [-0.25, '-06:00:00'],
  [0.000005787037, '00:00:00.500'],
])('%d days are %s', (serial, expected) => {
  expect(readDuration(serial)).toBe(expected);
});
