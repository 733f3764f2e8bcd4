import { describe, expect, it } from 'vitest';

import { commented } from '../../test/example-definitions.ts';
import { applyStep } from './apply-step.ts';
import { emptyHistory, endGroup, record, redo, undo } from './history.ts';
import { readDefinition } from './read-document.ts';
import { refuseStep, type Step } from './steps.ts';
import { listWidths, planWidths } from './widths.ts';

const at = { page: 0, row: 0, index: 0 };

/** Lines that a step removes and adds. */
function listChanges(text: string, step: Step): string[] {
  const before = text.split('\n');
  const after = applyStep(text, step).text.split('\n');
  return [
    ...before.filter((line) => !after.includes(line)).map((line) => `-${line}`),
    ...after.filter((line) => !before.includes(line)).map((line) => `+${line}`),
  ];
}

const refuse = (text: string, step: Step) => {
  const read = readDefinition(text);
  return 'outline' in read ? refuseStep(read.outline, step) : read.obstacle;
};

const page = (...rows: string[]) =>
  `pages:\n  - name: P\n    rows:\n${rows.map((row) => `      - tiles: [${row}]\n`).join('')}`;
const tile = '{ type: kpi, metric: M }';
const wide = (width: number) => `{ type: kpi, metric: M, width: ${width} }`;

describe('the text of a step', () => {
  it('a changed property changes its own line only, and keeps the comment and the quotes', () => {
    expect(
      listChanges(commented, {
        kind: 'change-tile',
        at,
        changes: { metric: 'Profit', title: 'Z' },
      }),
    ).toEqual([
      '-            metric: Sales   # A: metric',
      "-            title: 'A'",
      '+            metric: Profit # A: metric',
      "+            title: 'Z'",
    ]);
  });

  it('a moved tile takes its comments along, and the other lines stay as they are', () => {
    const { text, tile: moved } = applyStep(commented, {
      kind: 'move-tile',
      at: { page: 0, row: 0, index: 1 },
      to: { page: 0, row: 2 },
    });
    expect(moved).toEqual({ page: 0, row: 2, index: 0 });
    expect(text).toContain(`        # Row 2: end
      - tiles:
          # B: above
          - type: line
            title: B
            x: Ordered by month
            y: [Sales, Profit] # B: y
            width: 6 # B width: width
            # B: end
      # Overview: end of rows`);
    expect(text).toContain('- {type: text,   text: "# no comment", title: D, width: 3}');
  });

  it('a row whose last tile moves away leaves its comments with the tile', () => {
    const text = `${page(tile)}      # About the row\n      - tiles:\n          - type: text\n            text: T\n`;
    const step = { kind: 'move-tile', at: { ...at, row: 1 }, to: at } as const;
    expect(applyStep(text, step).text).toBe(`pages:
  - name: P
    rows:
      - tiles:
          [
            # About the row
            { type: text, text: T },
            { type: kpi, metric: M }
          ]
`);
  });

  it('a text with Windows line ends keeps them', () => {
    const step = { kind: 'rename-page', page: 0, name: 'Q' } as const;
    expect(applyStep(page(tile).replaceAll('\n', '\r\n'), step).text).toBe(
      page(tile).replace('name: P', 'name: Q').replaceAll('\n', '\r\n'),
    );
  });

  it('a removed property and a removed entry of a list leave the others', () => {
    expect(
      listChanges(commented, {
        kind: 'change-tile',
        at: { page: 0, row: 0, index: 1 },
        changes: { y: ['Profit'], width: undefined },
      }),
    ).toEqual([
      '-            y: [Sales,  Profit]   # B: y',
      '-            width: 6 # B width: width',
      '+            y: [Profit] # B: y',
    ]);
  });

  it('a text of several lines is written as a block', () => {
    const changes = { text: 'One\n\n- two\n' };
    const { text } = applyStep(commented, { kind: 'change-tile', at: { ...at, page: 1 }, changes });
    expect(text).toContain('            text: |\n              One\n\n              - two\n');
  });
});

describe('the widths of a row', () => {
  it('a row without space for a tile shares its columns again', () => {
    const step = { kind: 'add-tile', to: at, tile: { type: 'kpi', metric: 'N' } } as const;
    expect(applyStep(page(`${wide(6)}, ${wide(6)}`), step).text).toBe(
      page(` { type: kpi, metric: N }, ${tile}, ${tile} `),
    );
  });

  it.each([
    [
      'a tile takes columns from those that share the rest',
      [6, undefined, undefined],
      0,
      8,
      [8, undefined, undefined],
    ],
    ['a tile takes columns from the next tile first', [4, 4, 4], 0, 6, [6, 2, 4]],
    ['the last tile takes columns from the one before it', [4, 4, 4], 2, 6, [4, 2, 6]],
    ['each tile keeps a column', [4, 4, 4], 1, 12, [1, 10, 1]],
    ['a narrower tile leaves the others as they are', [4, 4, 4], 1, 2, [4, 2, 4]],
  ])('%s', (_name, widths, index, width, planned) => {
    const tiles = widths.map((each) => ({ width: each }));
    expect(planWidths(tiles, index, width)).toEqual(planned);
  });

  it('tiles that do not fit are shown with equal widths', () => {
    expect(listWidths([{ width: 8 }, { width: 8 }, { width: 'wide' }])).toEqual([4, 4, 4]);
  });
});

describe('steps that are refused', () => {
  const rows = (count: number) => page(...Array.from({ length: count }, () => tile));
  const row = (count: number) => Array.from({ length: count }, () => tile).join(', ');
  const target = (to: { row: number; index?: number }): Step => ({
    kind: 'add-tile',
    to: { page: 0, ...to },
    tile: {},
  });

  it.each<[string, string, Step]>([
    ['last_tile', page(tile), { kind: 'remove-tile', at }],
    ['last_page', page(tile), { kind: 'remove-page', page: 0 }],
    ['full_row', page(row(12)), target({ row: 0, index: 3 })],
    ['full_page', page(...Array.from({ length: 6 }, () => row(10))), target({ row: 3 })],
    ['too_many_rows', rows(30), target({ row: 30 })],
    ['name_taken', page(tile), { kind: 'add-page', page: 1, name: 'P', tile: {} }],
    ['name_empty', page(tile), { kind: 'rename-page', page: 0, name: ' ' }],
    ['gone', page(tile), { kind: 'remove-tile', at: { ...at, row: 1 } }],
    ['gone', page(tile), target({ row: 1, index: 0 })],
  ])('%s', (refusal, text, step) => {
    expect(refuse(text, step)).toBe(refusal);
  });

  it('a tile moves within a full row, and alone between the rows of a full page', () => {
    const within = { kind: 'move-tile', at, to: { ...at, index: 12 } } as const;
    expect(refuse(page(row(12)), within)).toBeUndefined();
    const alone = { kind: 'move-tile', at, to: { page: 0, row: 30 } } as const;
    expect(refuse(rows(30), alone)).toBeUndefined();
  });
});

describe('a definition that cannot be edited visually', () => {
  it.each([
    ['name: "x', { line: 1, reason: 'syntax' }],
    ['name: x\n\tpages: 3', { line: 2, reason: 'syntax' }],
    ['name: x\nname: y', { line: 2, reason: 'syntax' }],
    ['', { line: 1, reason: 'pages' }],
    ['name: x\npages:\n  none: 1', { line: 3, reason: 'pages' }],
    ['name: x\npages:\n  - name: P', { line: 3, reason: 'rows' }],
    ['pages:\n  - name: P\n    rows:\n      - tiles: []', { line: 4, reason: 'tiles' }],
    [
      'pages:\n  - name: P\n    rows:\n      - tiles:\n          - kpi',
      { line: 5, reason: 'tiles' },
    ],
    ['a: &b 1\nc: *b', { line: 1, reason: 'alias' }],
  ])('%j has the obstacle %j', (text, obstacle) => {
    expect(readDefinition(text)).toEqual({ obstacle });
  });
});

describe('the history', () => {
  it('changes of one group are undone together, until the group ends', () => {
    let history = record(emptyHistory, 'a', 'title');
    history = record(history, 'b', 'title');
    history = record(endGroup(history), 'c', 'title');
    const first = undo(history, 'd')!;
    expect(first.text).toBe('c');
    const second = undo(first.history, 'c')!;
    expect(second.text).toBe('a');
    expect(undo(second.history, 'a')).toBeUndefined();
    expect(redo(second.history, 'a')!.text).toBe('c');
  });

  it('a change after an undo has nothing to redo', () => {
    const { history } = undo(record(emptyHistory, 'a'), 'b')!;
    expect(redo(record(history, 'a'), 'c')).toBeUndefined();
  });
});
