import { describe, expect, it } from 'vitest';

import { drawTile as draw } from '../../test/draw-tile.ts';
import { find, barsOf, textsOf, names, numberOf } from '../../test/read-svg.ts';
import { byCategory, byMonth, integer } from '../../test/samples.ts';

describe('honest drawings', () => {
  const months = (...values: (readonly [string, number | null])[]) =>
    values.map(([month, value]) => ({ keys: [`2017-${month}-01`], values: [value] }));
  const pathsOf = (svg: Element, label: string) =>
    [...svg.querySelectorAll(`[aria-label="${label}"] path`)].map((path) =>
      path.getAttribute('d')!,
    );

  it('a line does not bridge months that are missing', () => {
    const groups = months(['01', 1], ['02', 2], ['05', 3], ['06', 4]);
    const [line] = pathsOf(draw({ ...byMonth, groups }, 480), 'line');
    expect(line!.match(/M/g)).toHaveLength(2);
  });

  it('a value between two gaps is a dot', () => {
    const groups = months(['01', 1], ['02', null], ['03', 2], ['04', null], ['05', 3], ['06', 4]);
    const svg = draw({ ...byMonth, groups }, 480);
    expect(find(svg, 'dot').children).toHaveLength(2);
  });

  it('the line to an incomplete month is dashed, and its point is hollow', () => {
    const groups = months(['01', 1], ['02', 2], ['03', 3]);
    const svg = draw({ ...byMonth, groups, incompleteKey: '2017-03-01' }, 480);
    const [solid, dashed] = svg.querySelectorAll('[aria-label="line"]');
    expect(solid!.querySelector('path')!.getAttribute('d')!.match(/[ML]/g)).toHaveLength(2);
    expect(dashed).toHaveAttribute('stroke-dasharray', '4 4');
    expect(find(svg, 'dot')).toHaveAttribute('fill', 'var(--surface)');
  });

  it('the column of an incomplete month is faint', () => {
    const groups = months(['01', 1], ['02', 2]);
    const svg = draw({ ...byMonth, type: 'column', groups, incompleteKey: '2017-02-01' }, 480);
    const bars = [...barsOf(svg).children].map((bar) => bar.getAttribute('fill-opacity'));
    expect(bars).toEqual(['1', '0.45']);
  });

  it('the groups beyond the limit are one bar of another color, with their number', () => {
    const groups = [...names(2), { keys: [null], values: [9], other: 4_985 }];
    const svg = draw({ ...byCategory, groups }, 480);
    expect(textsOf(svg, 'y-axis tick label')).toEqual(['Name 0', 'Name 1', 'Other (4,985)']);
    const fills = [...barsOf(svg).children].map((bar) => bar.getAttribute('fill'));
    expect(fills).toEqual(['var(--chart)', 'var(--chart)', 'var(--series-rest)']);
  });

  it.each(['bar', 'column'] as const)(
    'the other groups of a %s are cut where they would hide the rest, with a mark and their value',
    (type) => {
      const groups = [...names(4), { keys: [null], values: [4_000], other: 4_985 }];
      const svg = draw({ ...byCategory, type, groups }, 480);
      const size = type === 'bar' ? 'width' : 'height';
      const bars = [...barsOf(svg).children].map((bar) => numberOf(bar, size));
      expect(bars[4]! / bars[3]!).toBeCloseTo(1.25, 1);
      const texts = [...svg.querySelectorAll('text')].map((text) => text.textContent);
      expect(texts).toContain('//');
      expect(texts.includes('$4,000')).toBe(type === 'bar');
    },
  );

  it('other groups that leave room for the rest are not cut', () => {
    const groups = [...names(4), { keys: [null], values: [8], other: 2 }];
    const svg = draw({ ...byCategory, groups }, 480);
    const bars = [...barsOf(svg).children].map((bar) => numberOf(bar, 'width'));
    expect(bars[4]! / bars[3]!).toBeCloseTo(2, 1);
    expect(svg.textContent).not.toContain('//');
  });

  it('a blank value and the groups beyond the limit are two bars', () => {
    const groups = [
      { keys: [null], values: [1] },
      { keys: [null], values: [9], other: 2 },
    ];
    const svg = draw({ ...byCategory, groups }, 480);
    expect(textsOf(svg, 'y-axis tick label')).toEqual(['(blank)', 'Other (2)']);
  });

  it.each([
    [
      [0.2, 0.9],
      ['0', '1'],
    ],
    [
      [0, 0],
      ['0', '1'],
    ],
    [
      [null, null],
      ['0', '1'],
    ],
    [
      [1, 2],
      ['0', '1', '2'],
    ],
  ])('the axis of whole numbers has no fractions: %j', (values, labels) => {
    const groups = values.map((value, index) => ({ keys: [`${index}`], values: [value] }));
    const metrics = [{ name: 'Orders', format: integer }];
    const svg = draw({ ...byCategory, type: 'column', metrics, groups }, 480);
    expect(textsOf(svg, 'y-axis tick label')).toEqual(labels);
  });
});

describe('a line over one period', () => {
  it.each([
    ['month', 'Jan\n2024'],
    ['day', '1\nJan'],
    ['year', '2024'],
  ] as const)('by %s has the label %j', (grain, label) => {
    const dimensions = [
      { role: 'x' as const, dimension: { name: 'Day', kind: 'time' as const, grain } },
    ];
    const groups = [{ keys: ['2024-01-01'], values: [1] }];
    const svg = draw({ ...byMonth, dimensions, groups }, 480);
    const ticks = find(svg, 'x-axis tick label').querySelectorAll('text');
    const lines = [...ticks].map((tick) =>
      [...tick.querySelectorAll('tspan')].map((line) => line.textContent).join('\n'),
    );
    expect(lines.map((text, index) => text || ticks[index]!.textContent)).toEqual([label]);
  });
});

describe('horizontal bars on a phone', () => {
  const amount = {
    name: 'Amount',
    format: {
      style: 'currency',
      currency: 'IDR',
      notation: 'standard',
      minimumFractionDigits: 2,
    },
  } as const;
  const groups = ['Product with a long name, size 1', 'Product with a long name, size 2'].map(
    (name, index) => ({ keys: [name], values: [23_549_192_272 + index] }),
  );
  const tile = { ...byCategory, groups, metrics: [amount] };

  it('have their whole names above them, and are longer than a third of the width', () => {
    const svg = draw(tile, 254);
    const texts = [...svg.querySelectorAll('text')].map((text) => text.textContent);
    expect(texts.slice(0, 2)).toEqual(groups.map(({ keys }) => keys[0]));
    const bars = [...barsOf(svg).children];
    expect(Math.min(...bars.map((bar) => numberOf(bar, 'width')))).toBeGreaterThan(254 / 3);
  });

  it('have short values if exact ones have no room', () => {
    const svg = draw(tile, 254);
    const texts = [...svg.querySelectorAll('text')].map((text) => text.textContent);
    expect(texts.filter((text) => text.startsWith('IDR'))).toEqual([
      'IDR\u00a023.5B',
      'IDR\u00a023.5B',
    ]);
  });
});
