import { CompletionContext } from '@codemirror/autocomplete';
import { EditorState } from '@codemirror/state';
import { expect, it } from 'vitest';

import { completeDefinition } from './complete-definition.ts';

const names = { datasets: ['Orders'], fields: ['Region'], metrics: ['Sales'] };

/** The completions at the end of a text. */
function complete(kind: 'reports' | 'datasets', text: string): string[] {
  const context = new CompletionContext(EditorState.create({ doc: text }), text.length, true);
  return (completeDefinition(context, { kind, names })?.options ?? []).map(({ label }) => label);
}

const tile = 'pages:\n  - rows:\n      - tiles:\n          - type: kpi\n            ';

it.each([
  ['the keys of a report', 'reports', '', ['name', 'dataset', 'pages'], ['source']],
  ['the keys of a tile’s type', 'reports', tile, ['metric', 'compare'], ['x', 'columns']],
  ['the metrics of the report’s dataset', 'reports', `${tile}metric: `, ['Sales'], ['Region']],
  ['the keys of a source', 'datasets', 'source:\n  ', ['file', 'connection'], ['name']],
  ['the types of a field', 'datasets', 'fields:\n  - type: ', ['date'], ['Sales']],
] as const)('the editor completes %s', (_title, kind, text, offered, others) => {
  const completions = complete(kind, text);
  expect(completions).toEqual(expect.arrayContaining([...offered]));
  for (const other of others) expect(completions).not.toContain(other);
});
