import { expect, it } from 'vitest';

import { parseHomeUrl, parseOrigin } from './origins.ts';

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

it.each([
  ['https://app.acme.example', 'https://app.acme.example/'],
  ['https://App.Acme.Example/reports?tab=1#top', 'https://app.acme.example/reports?tab=1#top'],
  ['http://localhost:3000/', 'http://localhost:3000/'],
])('the home URL %s is stored as %s', (address, homeUrl) => {
  expect(parseHomeUrl(address)).toBe(homeUrl);
});

it.each([
  'app.acme.example',
  '/reports',
  'javascript:alert(1)',
  'data:text/html,x',
  'https://user@app.acme.example',
  'https://:secret@app.acme.example',
  `https://app.acme.example/${'a'.repeat(2_000)}`,
])('the address %s is not accepted as a home URL', (address) => {
  expect(parseHomeUrl(address)).toBeUndefined();
});
