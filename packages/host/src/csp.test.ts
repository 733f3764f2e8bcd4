import { describe, expect, it } from 'vitest';

import { allowsOrigin, readDirective, extendPolicy } from './csp.ts';

describe('a source list', () => {
  const origin = 'https://acme.portal.example';
  it.each([
    ['*', true],
    ['https:', true],
    ['http:', false],
    [origin, true],
    [`${origin}/`, true],
    ['acme.portal.example', true],
    ['*.portal.example', true],
    ['https://*.portal.example', true],
    ['http://*.portal.example', false],
    ['portal.example', false],
    ['https://acme.portal.example:8443', false],
    ["'self'", false],
    ["'none'", false],
  ])('%s allows a subdomain: %s', (source, isAllowed) => {
    expect(allowsOrigin(["'self'", source], origin)).toBe(isAllowed);
  });

  it('is read from the directive in force', () => {
    expect(readDirective("default-src 'self';frame-src a.test b.test", 'frame-src')).toEqual([
      ['a.test', 'b.test'],
    ]);
    expect(readDirective("script-src 'self'", 'frame-src')).toEqual([]);
  });

  it('is read from each of several policies', () => {
    const header = "frame-src *, script-src 'self', default-src 'self'";
    expect(readDirective(header, 'frame-src')).toEqual([['*'], ["'self'"]]);
  });
});

it('a long header of many policies is extended in less than a second', () => {
  const header = `default-src 'self'${','.repeat(20_000)}`;
  const startedAt = performance.now();
  expect(extendPolicy(header, 'https://p.test')).toMatch(/^default-src 'self';frame-src/);
  expect(performance.now() - startedAt).toBeLessThan(1_000);
});
