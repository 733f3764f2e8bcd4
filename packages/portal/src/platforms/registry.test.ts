import { expect, it } from 'vitest';

import type { ReportPlatform } from '#platform';
import { builtin } from '#report-engine';

import { Platforms } from './registry.ts';

const platformOf = (parts: Partial<ReportPlatform>): ReportPlatform => ({
  ...builtin,
  open: () => Promise.reject(new Error('unused')),
  close: async () => {},
  ...parts,
});

it('the queries of all platforms are counted, and a platform may count none', () => {
  const counts = [{ running: 2, waiting: 5 }, undefined, { running: 1, waiting: 3 }];
  const list = counts.map((count) => platformOf(count ? { usage: () => count } : {}));
  expect(new Platforms(list).usage()).toEqual({ running: 3, waiting: 8 });
});

it('closing the platforms closes each of them', async () => {
  const closed: string[] = [];
  const names = ['one', 'two'];
  const list = names.map((name) => platformOf({ name, close: async () => void closed.push(name) }));
  await new Platforms(list).close();
  expect(closed).toEqual(names);
});
