import { CompletionContext } from '@codemirror/autocomplete';
import { EditorState } from '@codemirror/state';
import { expect, it } from 'vitest';

import type { DefinitionNames } from '../requests/definitions.ts';
import { completeDefinition } from './complete-definition.ts';

const names: DefinitionNames = {
  datasets: ['Orders'],
  fields: ['Region'],
  metrics: ['Sales'],
  types: ['text'],
  hasTime: true,
};

function completeEnd(kind: 'reports' | 'datasets', text: string, isRequested: boolean) {
  const state = EditorState.create({ doc: text });
  const context = new CompletionContext(state, text.length, isRequested);
  return completeDefinition(context, { kind, names });
}

/** The completions at the end of a text. */
const complete = (kind: 'reports' | 'datasets', text: string, isRequested = true): string[] =>
  (completeEnd(kind, text, isRequested)?.options ?? []).map(({ label }) => label);

const tile = 'pages:\n  - rows:\n      - tiles:\n          - type: kpi\n            ';

it.each([
  ['the keys of a report', 'reports', '', ['name', 'dataset', 'pages'], ['source']],
  ['the keys of a tile’s type', 'reports', tile, ['metric', 'compare'], ['x', 'columns']],
  ['the metrics of the report’s dataset', 'reports', `${tile}metric: `, ['Sales'], ['Region']],
  ['the names of datasets', 'reports', 'dataset: ', ['Orders'], ['Region', 'Sales']],
  [
    'the fields of the dataset',
    'reports',
    'filters:\n  - field: ',
    ['Region'],
    ['Sales', 'Orders'],
  ],
  [
    'the fields in a list',
    'reports',
    `${tile}dimensions:\n              - `,
    ['Region'],
    ['Sales'],
  ],
  ['the sort columns of a tile', 'reports', `${tile}sort: `, ['Sales', 'Region'], ['Orders']],
  [
    'the types of a tile',
    'reports',
    tile.replace('kpi\n            ', ''),
    ['kpi', 'pivot'],
    ['metric'],
  ],
  ['the keys of a format', 'datasets', 'metrics:\n  - format:\n      ', ['style'], ['name']],
  ['the literal `all` of a role’s rows', 'datasets', 'roles:\n  - rows: ', ['all'], ['West']],
  ['the keys of a source', 'datasets', 'source:\n  ', ['file', 'connection'], ['name']],
  ['the types of a field', 'datasets', 'fields:\n  - type: ', ['date'], ['Sales']],
] as const)('the editor completes %s', (_title, kind, text, offered, others) => {
  const completions = complete(kind, text);
  expect(completions).toEqual(expect.arrayContaining([...offered]));
  for (const other of others) expect(completions).not.toContain(other);
});

it.each([
  ['after a colon', true, `${tile}metric: `],
  ['in a word', true, `${tile}metric: Sa`],
  ['after a bracket', false, `${tile}metrics: [`],
  ['where nothing is known', false, 'name: '],
])('completions open while typing %s: %s', (_place, isOpen, text) => {
  expect(complete('reports', text, false).length > 0).toBe(isOpen);
});

it.each([
  ['metric', 'metr', `${tile}metr`],
  ['Sales', 'Sa', `${tile}metric: Sa`],
  ['Net sales', 'Net s', `${tile}metrics: [Sales, Net s`],
])('the completion %s replaces the typed letters "%s"', (_label, typed, text) => {
  const { from, validFor } = completeEnd('reports', text, true)!;
  expect(text.slice(from)).toBe(typed);
  expect(typed).toMatch(validFor as RegExp);
});

it('where nothing is known, no list opens that Escape would have to close', () => {
  expect(completeEnd('reports', 'name: ', true)).toBeNull();
});
