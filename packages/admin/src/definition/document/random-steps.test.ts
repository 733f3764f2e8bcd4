// oxlint-disable-next-line no-restricted-imports -- The schema that the service checks.
import { parseReportFile } from '@portal-embed/report-model';
import fc from 'fast-check';
import { chooseRepetitions } from 'test-support/repetitions';
import { expect, it } from 'vitest';
import { parse } from 'yaml';

import { listComments } from '../../drafts/write-change.ts';
import { Model } from '../../test/definition-model.ts';
import { commented, unusual } from '../../test/example-definitions.ts';
import { applyStep } from './apply-step.ts';
import { emptyHistory, record, redo, undo } from './history.ts';
import { readDefinition, type Outline, type Tile } from './read-document.ts';
import { findTile, refuseStep, type Step, type TilePlace } from './steps.ts';

function readOutline(text: string): Outline {
  const read = readDefinition(text);
  if ('obstacle' in read) throw new Error(`${JSON.stringify(read.obstacle)} in\n${text}`);
  return read.outline;
}

const names = ['Sales', 'Profit', '#1', 'a: b', "it's", 'Margin %', 'true', '12', '- x'];
const name = fc.constantFrom(...names);
const thresholds = { type: 'thresholds', thresholds: [{ below: 1, status: 'bad' }] };
const tile: fc.Arbitrary<Tile> = fc.oneof(
  fc.record({ type: fc.constant('kpi'), metric: name }),
  fc.record({ type: fc.constant('text'), text: fc.constantFrom('One', 'Two\n\n# lines\n', ' "x') }),
  fc.record({
    type: fc.constant('table'),
    dimensions: fc.uniqueArray(name, { minLength: 1, maxLength: 3 }),
    metrics: fc.uniqueArray(name, { maxLength: 2 }),
    conditionalFormat: fc.constant({ Sales: thresholds }),
  }),
);
const kinds = [
  'add-tile',
  'remove-tile',
  'duplicate-tile',
  'resize-tile',
  'add-page',
  'rename-page',
  'move-page',
  'remove-page',
  'redo',
  ...(['move-tile', 'move-tile', 'move-tile', 'change-tile', 'change-tile'] as const),
  ...(['undo', 'undo'] as const),
] as const;
const number = fc.nat(1_000);
const choice = fc.record({
  kind: fc.constantFrom(...kinds),
  numbers: fc.tuple(number, number, number, number, number, number),
  isNewRow: fc.boolean(),
  tile,
  title: fc.option(name, { nil: undefined }),
  name,
});
type Choice = typeof choice extends fc.Arbitrary<infer Value> ? Value : never;

/** A step in a report, from numbers that fit any number of pages and tiles. */
function toStep(outline: Outline, choices: Choice): Step | undefined {
  const { pages } = outline;
  const place = (first: number, second: number, third: number): TilePlace => {
    const page = first % pages.length;
    const row = second % pages[page]!.rows.length;
    return { page, row, index: third % pages[page]!.rows[row]!.tiles.length };
  };
  const { kind, title, tile: added } = choices;
  const [a, b, c, d, e, f] = choices.numbers;
  const at = place(a, b, c);
  const near = place(d, e, f);
  const to = choices.isNewRow
    ? { page: near.page, row: near.row + (f % 2) }
    : { ...near, index: near.index + (e % 2) };
  switch (kind) {
    case 'add-tile':
      return { kind, to, tile: added };
    case 'remove-tile':
    case 'duplicate-tile':
      return { kind, at };
    case 'move-tile':
      return { kind, at, to };
    case 'resize-tile':
      return { kind, at, width: (d % 14) + 1 };
    case 'change-tile': {
      const isKpi = findTile(outline, at)!['type'] === 'kpi';
      const other = d % 3 === 0 ? { width: undefined } : {};
      return { kind, at, changes: { title, ...other, ...(isKpi && { metric: choices.name }) } };
    }
    case 'add-page':
      return { kind, page: d % (pages.length + 1), name: choices.name, tile: added };
    case 'rename-page':
      return { kind, page: at.page, name: choices.name };
    case 'move-page':
      return { kind, page: at.page, to: near.page };
    case 'remove-page':
      return { kind, page: at.page };
    case 'undo':
    case 'redo':
      return undefined;
  }
}

/** Takes the widths of a resized row, which must fit, and of which the tile has the wanted one. */
function takeWidths(model: Model, { at, width }: Step & { kind: 'resize-tile' }, text: string) {
  const { tiles } = readOutline(text).pages[at.page]!.rows[at.row]!;
  const widths = tiles.map((each) => each['width'] as number | undefined);
  const taken = widths.reduce<number>((sum, each) => sum + (each ?? 1), 0);
  expect([widths[at.index], taken <= 12]).toEqual([Math.min(width, 13 - tiles.length), true]);
  model.setWidths(at, tiles);
}

/** What differs between a text and its meaning: nothing. */
function compare(text: string, model: Model, start: string) {
  const owned = new Model(readOutline(start).pages).listOwners();
  const ownerOf = (comment: string) => {
    const [, owner = ''] = /^# (.+?):/.exec(comment) ?? [];
    return owned.has(owner) ? owner : 'Report';
  };
  const owners = model.listOwners();
  const kept = listComments(start).filter((comment) => owners.has(ownerOf(comment)));
  expect({
    text,
    pages: readOutline(text).pages,
    comments: listComments(text).toSorted(),
  }).toEqual({ text, pages: model.read(), comments: kept.toSorted() });
}

it.each([
  ['has comments everywhere', commented, (text: string) => parseReportFile(parse(text)).issues],
  ['has properties that no schema knows', unusual, () => []],
])(
  'after 500 random steps with undo and redo, a definition that %s means what they say and has lost no comment',
  (_name, start, findIssues) => {
    const run = (choices: readonly Choice[]) => {
      let text = start;
      let history = emptyHistory;
      let applied = 0;
      const models = new Map([[start, new Model(readOutline(start).pages)]]);
      for (const each of choices) {
        const outline = readOutline(text);
        const step = toStep(outline, each);
        if (step === undefined) {
          const restored = (each.kind === 'undo' ? undo : redo)(history, text);
          ({ text, history } = restored ?? { text, history });
        } else if (refuseStep(outline, step) === undefined) {
          const model = models.get(text)!.clone();
          history = record(history, text);
          ({ text } = applyStep(text, step));
          model.apply(step);
          if (step.kind === 'resize-tile') takeWidths(model, step, text);
          models.set(text, model);
          applied += 1;
        }
        compare(text, models.get(text)!, start);
        expect(findIssues(text)).toEqual([]);
      }
      expect(applied).toBeGreaterThan(150);
      const end = text;
      const steps = history.past.length;
      for (let count = 0; count < steps; count += 1) ({ text, history } = undo(history, text)!);
      expect(text).toBe(start);
      for (let count = 0; count < steps; count += 1) ({ text, history } = redo(history, text)!);
      expect(text).toBe(end);
    };
    const steps = fc.array(choice, { minLength: 500, maxLength: 500, size: 'max' });
    fc.assert(fc.property(steps, run), { numRuns: chooseRepetitions(1, 20), endOnFailure: true });
  },
  120_000,
);
