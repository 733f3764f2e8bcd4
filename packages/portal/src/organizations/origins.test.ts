import { expect, it } from 'vitest';

import { parseOrigin } from './origins.ts';

it.each([
  ['https://reports.example', 'https://reports.example'],
  ['https://Reports.EXAMPLE:443/', 'https://reports.example'],
  ['http://localhost:3000', 'http://localhost:3000'],
  ['https://[2001:DB8::1]:8443', 'https://[2001:db8::1]:8443'],
])('the URL %s has the origin %s', (address, origin) => {
  expect(parseOrigin(address)).toBe(origin);
});

it.each([
  'reports.example',
  'https://reports.example/path',
  'https://reports.example/?query',
  'https://reports.example/#fragment',
  'https://user@reports.example',
  'ftp://reports.example',
  'https://*.reports.example',
  "https://reports.example'",
  'https://reports.example;',
])('the URL %s is not accepted as an origin', (address) => {
  expect(parseOrigin(address)).toBeUndefined();
});
