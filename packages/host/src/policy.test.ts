import { runInNewContext } from 'node:vm';

import type { CustomFilter, HostRequest } from '@portal-embed/contract';
import { resolveDisplayFlags } from '@portal-embed/contract';
import fc from 'fast-check';
import { chooseRepetitions } from 'test-support/repetitions';
import { readSeed } from 'test-support/seed';
import { describe, expect, it } from 'vitest';

import { applyPolicy, readPolicy } from './policy.ts';
import type { Policy } from './policy.ts';
import { Refusal } from './refusal.ts';

fc.configureGlobal({ seed: readSeed() });

const ids = [1, 2, 3].map((n) => `6a1f4c1e-0000-4000-8000-00000000000${n}`);
const decide = (request: HostRequest, policy: Policy) => applyPolicy(request, readPolicy(policy));

describe('a policy', () => {
  it('without fields leaves the request unchanged', () => {
    const customFilters = [{ key: 'Region', value: 'West' }];
    const request = { reportId: ids[0], embed: true, hideMenu: false, customFilters };
    expect(decide(request, {})).toEqual(request);
    expect(applyPolicy(request, readPolicy(true))).toEqual(request);
  });

  it('that lists reports allows these only, and not the whole portal', () => {
    const allow = { reports: [ids[0]!.toUpperCase()] };
    expect(decide({ reportId: ids[0] }, { allow })).toEqual({ reportId: ids[0] });
    expect(() => decide({ reportId: ids[1] }, { allow })).toThrow(Refusal);
    expect(() => decide({}, { allow })).toThrow('Set reportId');
    expect(decide({}, { allow: { ...allow, wholePortal: true } })).toEqual({});
  });

  it("can set the report, or the whole portal, in place of the browser's choice", () => {
    expect(decide({ reportId: ids[1] }, { set: { reportId: ids[0] } })).toEqual({
      reportId: ids[0],
    });
    expect(decide({ reportId: ids[1] }, { set: { reportId: null } })).toEqual({});
  });

  it('can keep a bar visible against the shortcut embed', () => {
    const shown = { hideMenu: true, hideNavbar: false, hideSidebar: true };
    expect(decide({ embed: true }, { set: { hideNavbar: false } })).toEqual(shown);
    expect(decide({ hideMenu: true }, { set: { embed: false } })).toMatchObject({
      hideMenu: false,
    });
    expect(decide({}, { set: { embed: true } })).toMatchObject({ hideSidebar: true });
    expect(() => decide({ embed: true }, { allow: { display: ['hideMenu'] } })).toThrow(
      'hideNavbar',
    );
    expect(decide({ hideMenu: true }, { allow: { display: ['hideMenu'] } }).hideMenu).toBe(true);
  });

  it('lets the browser select among locked values, by any name of the column', () => {
    const lockedFilters = ['West', 'East'].map((value) => ({ key: 'Orders/Region', value }));
    for (const key of ['Orders/Region', 'Region', 'orders/REGION', 'Region '])
      expect(
        decide({ customFilters: [{ key, value: 'West' }] }, { lockedFilters }).customFilters,
      ).toEqual([{ key: 'Orders/Region', value: 'West' }]);
    expect(() =>
      decide({ customFilters: [{ key: 'Region', value: 'South' }] }, { lockedFilters }),
    ).toThrow('chooses none of the values that are locked');
    expect(decide({}, { lockedFilters }).customFilters).toEqual(lockedFilters);
  });

  it('refuses filter keys that are not listed', () => {
    const policy = { allow: { filterKeys: ['Category'] } };
    expect(() => decide({ customFilters: [{ key: 'category', value: 'x' }] }, policy)).toThrow(
      'may not filter by "category"',
    );
  });

  it('refuses more filters, together with the locked ones, than the portal accepts', () => {
    const some = (column: string, length: number) =>
      Array.from({ length }, (_, n) => ({ key: column, value: `${n}` }));
    const lockedFilters = some('Region', 60);
    expect(
      decide({ customFilters: some('City', 40) }, { lockedFilters }).customFilters,
    ).toHaveLength(100);
    expect(() => decide({ customFilters: some('City', 41) }, { lockedFilters })).toThrow(
      expect.objectContaining({
        code: 'invalid_request',
        message: expect.stringContaining('Send fewer filters') as string,
      }),
    );
    expect(() => readPolicy({ lockedFilters: some('Region', 101) })).toThrow(
      /authorize returned an invalid policy: lockedFilters .*100/,
    );
  });

  it('refuses filters that are too large together with the locked ones', () => {
    const some = (key: string, length: number) =>
      Array.from({ length }, (_, n) => ({ key, value: `${n}`.padStart(900, '0') }));
    const lockedFilters = some('Region', 10);
    expect(
      decide({ customFilters: some('City', 7) }, { lockedFilters }).customFilters,
    ).toHaveLength(17);
    expect(() => decide({ customFilters: some('City', 8) }, { lockedFilters })).toThrow(
      expect.objectContaining({
        code: 'invalid_request',
        message: expect.stringContaining('fewer or shorter filters') as string,
      }),
    );
    expect(() => readPolicy({ lockedFilters: some('Region', 18) })).toThrow(
      /authorize returned an invalid policy: lockedFilters .*16384 bytes/,
    );
  });

  it.each([
    { allow: { report: [] } },
    { allow: { reports: ['sales'] } },
    { set: { lockedFilters: [] } },
    { lockedFilters: [{ key: 'Region', values: [] }] },
    'yes',
    1,
  ])('with a misspelled field, like %j, is an error and grants nothing', (policy) => {
    expect(() => readPolicy(policy)).toThrow(TypeError);
  });

  it.each([
    new Error('no'),
    new Map(),
    new Date(),
    Promise.resolve(false),
    Object(false) as object,
    new (class {
      get alow() {
        return {};
      }
    })(),
    { allow: new Set(ids) },
    { set: new Map([['reportId', ids[0]]]) },
  ])('%o is not a plain object and grants nothing', (policy) => {
    expect(() => readPolicy(policy)).toThrow('must be a plain object');
  });

  it.each<[string, object]>([
    ['without a prototype', Object.create(null) as object],
    ['of another realm', runInNewContext('({})') as object],
    [
      'with getters',
      {
        get lockedFilters() {
          return [];
        },
      },
    ],
  ])('may be an object %s', (_, policy) => {
    expect(readPolicy(policy)).toMatchObject({});
  });

  it.each([false, null, undefined, 0, ''])('that is %j refuses', (policy) => {
    expect(() => readPolicy(policy)).toThrow(Refusal);
  });
});

const numRuns = chooseRepetitions(1_000, 5_000);
const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });

describe('no request of a browser widens a policy', () => {
  const flag = optional(fc.boolean());
  const flags = { hideMenu: flag, hideNavbar: flag, hideSidebar: flag, embed: flag };
  const values = fc.constantFrom('a', 'b', 'c', 'A', '');
  const columns = ['T/X', 'X', 'x', 'U/x ', 'Ｘ', 'Y', 'T/Y', 'y', 'Z', '/', 'T/X/Y'];
  const keys = fc.constantFrom(...columns);
  const filters = fc.array(fc.record({ key: keys, value: values }), { maxLength: 6 });
  const request = fc.record({
    reportId: optional(fc.constantFrom(...ids)),
    ...flags,
    customFilters: optional(filters),
  });
  const bars = ['hideMenu', 'hideNavbar', 'hideSidebar'] as const;
  const policy = fc.record({
    allow: fc.record({
      reports: optional(fc.subarray(ids)),
      wholePortal: flag,
      display: optional(fc.subarray([...bars])),
      filterKeys: optional(fc.array(keys)),
    }),
    set: fc.record({ reportId: fc.option(fc.constantFrom(...ids, undefined)), ...flags }),
    lockedFilters: filters,
  }) as fc.Arbitrary<Policy>;

  /** Counts the generated pairs that were granted. Each of them must hold. */
  const checkGranted = (
    holds: (result: HostRequest, limits: Policy, cells: readonly string[]) => boolean,
  ): number => {
    let granted = 0;
    const cells = fc.array(values, { minLength: columns.length, maxLength: columns.length });
    fc.assert(
      fc.property(request, policy, cells, (input, limits, row) => {
        let result: HostRequest;
        try {
          result = decide(input, limits);
        } catch (error) {
          return error instanceof Refusal;
        }
        granted += 1;
        return holds(result, limits, row);
      }),
      { numRuns },
    );
    return granted;
  };

  it.each([
    ['exactly', (key: string) => key],
    ['loosely', (key: string) => key.normalize('NFKC').split('/').at(-1)!.trim().toLowerCase()],
  ])('with more rows than the locked filters show, where keys are read %s', (_, read) => {
    const granted = checkGranted((result, { lockedFilters = [] }, cells) => {
      const findCell = (key: string) =>
        cells[columns.findIndex((each) => read(each) === read(key))];
      const isVisible = (list: readonly CustomFilter[]) =>
        list.every(({ key }) =>
          list.some((each) => read(each.key) === read(key) && each.value === findCell(key)),
        );
      return !isVisible(result.customFilters ?? []) || isVisible(lockedFilters);
    });
    expect(granted).toBeGreaterThan(numRuns / 50);
  });

  it('with a report that is not allowed', () => {
    const granted = checkGranted(({ reportId }, { allow = {}, set = {} }) => {
      if (set.reportId !== undefined) return reportId === (set.reportId ?? undefined);
      if (reportId === undefined) return allow.wholePortal ?? allow.reports === undefined;
      return (allow.reports ?? ids).includes(reportId);
    });
    expect(granted).toBeGreaterThan(numRuns / 50);
  });

  it('with a bar that must stay visible', () => {
    const granted = checkGranted((result, { allow = {}, set = {} }) => {
      const hidden = resolveDisplayFlags(result);
      return bars.every((bar) => {
        const chosen = set.embed === true ? true : (set[bar] ?? set.embed);
        if (chosen !== undefined) return hidden[bar] === chosen;
        return !hidden[bar] || (allow.display ?? bars).includes(bar);
      });
    });
    expect(granted).toBeGreaterThan(numRuns / 50);
  });

  it('with a filter key that is not allowed', () => {
    const granted = checkGranted(({ customFilters = [] }, { allow = {}, lockedFilters = [] }) =>
      customFilters.every(
        ({ key }) =>
          (allow.filterKeys ?? [key]).includes(key) ||
          lockedFilters.some((each) => each.key === key),
      ),
    );
    expect(granted).toBeGreaterThan(numRuns / 50);
  });
});
