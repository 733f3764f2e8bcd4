import fc from 'fast-check';
import { readSeed } from 'test-support/seed';
import { describe, expect, it } from 'vitest';
import type { z } from 'zod';

import { areFilters, maxViewLength } from './checks.ts';
import { isConnect, isHostMessage } from './host-guards.ts';
import { isBoot, isPortalMessage } from './portal-guards.ts';
import { bootSchema, connectSchema, hostMessageSchema, portalMessageSchema } from './schemas.ts';

fc.configureGlobal({ seed: readSeed() });

const pairs: [string, (value: unknown) => boolean, z.ZodType][] = [
  ['isBoot', isBoot, bootSchema],
  ['isConnect', isConnect, connectSchema],
  ['isPortalMessage', isPortalMessage, portalMessageSchema],
  ['isHostMessage', isHostMessage, hostMessageSchema],
];

const valid: unknown[] = [
  { portalEmbed: 1, type: 'boot' },
  { portalEmbed: 1, type: 'boot', accepts: ['open'] },
  {
    portalEmbed: 1,
    type: 'connect',
    theme: 'dark',
    accentColor: '#1a7f37',
    locale: 'de-AT',
    autoHeight: true,
    view: 'eyJwYWdlIjoxfQ',
    scroll: 120.5,
  },
  { portalEmbed: 1, type: 'connect' },
  {
    portalEmbed: 1,
    type: 'connect',
    theme: {
      mode: 'light',
      font: 'inter',
      radius: 'large',
      density: 'compact',
      palette: ['#1a7f37', '#0969da'],
    },
  },
  { type: 'ready', unappliedFilters: ['Nope'] },
  { type: 'view', view: '', scroll: 120.5 },
  { type: 'view', id: 2, view: '', scroll: 0 },
  { type: 'view', view: 'v'.repeat(maxViewLength), scroll: 0 },
  { type: 'selected', field: 'Region', values: ['West', null, 7, true] },
  { type: 'selected', field: 'Order Date', values: ['2024-03-01'], grain: 'month' },
  { type: 'navigated', path: '/organizations/a', reportId: null },
  { type: 'navigated', path: '/organizations/a', reportId: 'b' },
  { type: 'resized', height: 12.5 },
  { type: 'session-required', reason: 'session-ended' },
  { type: 'ready', id: 2, unappliedFilters: [] },
  { type: 'session-required', id: 2 },
  { type: 'failed', cause: 'report_failed' },
  { type: 'failed', id: 2, cause: 'blocked_by_portal' },
  { type: 'failed', cause: 'report_not_accessible' },
  { type: 'failed', cause: 'filters_not_applied' },
  { type: 'leaving' },
  { type: 'exported', format: 'csv', reportId: 'b' },
  { type: 'key', key: 'Escape' },
  { type: 'export', format: 'xlsx' },
  { type: 'export', format: 'png', tile: 'Sales by month' },
  { type: 'print' },
  { type: 'reopen', id: 2 },
  { type: 'open', url: 'https://portal.example/identity?token=t', id: 2 },
  { type: 'open', url: 'https://portal.example/identity?token=t', id: 3, view: 'eyJwYWdlIjoxfQ' },
  { type: 'set-view', view: 'v'.repeat(maxViewLength + 1) },
  { type: 'set-options' },
  { type: 'set-options', theme: 'auto', accentColor: '#1a7f37', locale: 'de', autoHeight: false },
];

const anyValue = fc.oneof(
  fc.anything(),
  fc.constantFrom('__proto__', 'constructor', 'toString', 'ready boot', '', 'used expired', NaN, 2),
);

// A valid message with one value, at any depth, replaced, removed or duplicated under another key.
const mutated = fc
  .tuple(fc.constantFrom(...valid), fc.nat(), anyValue, fc.constantFrom('replace', 'remove', 'add'))
  .map(([message, at, value, how]) => {
    const copy = structuredClone(message) as Record<string, unknown>;
    const places: [Record<string, unknown>, string][] = [];
    const walk = (node: Record<string, unknown>) => {
      for (const key of Object.keys(node)) {
        places.push([node, key]);
        const child = node[key];
        if (typeof child === 'object' && child !== null) walk(child as Record<string, unknown>);
      }
    };
    walk(copy);
    const [node, key] = places[at % places.length]!;
    if (how === 'replace') node[key] = value;
    else if (how === 'remove') delete node[key];
    else node[`${key}2`] = value;
    return copy;
  });

describe('the guards of the frame channel', () => {
  it.each(valid)('a guard and its schema accept the message %j', (message) => {
    const accepting = pairs.filter(([, guard]) => guard(message));
    expect(accepting).toHaveLength(1);
    expect(accepting.every(([, , schema]) => schema.safeParse(message).success)).toBe(true);
  });

  it.each([null, undefined, 7, 'text', []])('no guard accepts %j', (value) => {
    expect(pairs.filter(([, guard]) => guard(value))).toEqual([]);
  });

  it('a view of the page is at most 6,000 characters long', () => {
    const view = 'v'.repeat(maxViewLength + 1);
    expect(isPortalMessage({ type: 'view', view, scroll: 0 })).toBe(false);
  });

  it.each(pairs)('%s accepts what its schema accepts', (_name, guard, schema) => {
    fc.assert(
      fc.property(fc.oneof(mutated, anyValue), (value) => {
        expect(guard(value)).toBe(schema.safeParse(value).success);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('areFilters', () => {
  it.each([
    [[], true],
    [[{ key: 'Region', value: 'West' }], true],
    [[{ key: 'Region', value: 'West' }, { key: 'Year' }], false],
    [[{ key: 7, value: 'West' }], false],
    [[{ key: 'Year', value: 2024 }], false],
    [[undefined], false],
    [[null], false],
    [Object.assign([], { length: 1 }), false],
    [{ key: 'Region', value: 'West' }, false],
  ])('areFilters(%j) is %s', (value, expected) => {
    expect(areFilters(value)).toBe(expected);
  });
});
