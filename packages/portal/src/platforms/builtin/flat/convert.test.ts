import { expect, it } from 'vitest';

import { convertDataset, convertPredicate } from './convert.ts';

it('a role without a content file allows the rows of each part of "any"', () => {
  const dataset = convertDataset('Orders', new Map([['Region', 'text']]));
  const isIn = (...values: string[]) => ({ column: 'Region', in: values });
  const convert = (part: Parameters<typeof convertPredicate>[1]) =>
    convertPredicate(dataset, part, {
      email: ['west@acme.example'],
      department: [],
      groups: [],
      companies: [],
    });
  expect(convert({ any: [isIn('West'), isIn('East')] })).toEqual({
    kind: 'or',
    parts: [convert(isIn('West')), convert(isIn('East'))],
  });
  expect(convert({ all: [isIn('West'), isIn('East')] })).toMatchObject({ kind: 'and' });
});
