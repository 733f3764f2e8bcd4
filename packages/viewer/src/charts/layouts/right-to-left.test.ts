import pseudo from 'page-kit/messages/ar-XB.json';
import { describe, expect, it } from 'vitest';

import { createFormats } from '../../format/create-formats.ts';
import { drawTile } from '../../test/draw-tile.ts';
import { barsOf, find, names, numberOf, placesOf } from '../../test/read-svg.ts';
import { byCategory, byMonth } from '../../test/samples.ts';

const formats = createFormats('en-US', pseudo);
const width = 480;
const groups = names(4, 'A name that is somewhat longer');

describe('charts of a language that is written from right to left', () => {
  it('from right to left, bars grow to the left, beside names on the right', () => {
    const [bars, mirrored] = [{}, { formats }].map((options) =>
      [...barsOf(drawTile({ ...byCategory, groups }, width, options)).children].map((bar) => ({
        x: numberOf(bar, 'x'),
        end: numberOf(bar, 'x') + numberOf(bar, 'width'),
      })),
    );
    expect(mirrored).toHaveLength(4);
    for (const [index, { x, end }] of mirrored!.entries()) {
      expect(width - end).toBeCloseTo(bars![index]!.x);
      expect(width - x).toBeCloseTo(bars![index]!.end);
    }
  });

  it('from right to left, the value of a bar is on its left', () => {
    const svg = drawTile({ ...byCategory, groups }, width, { formats });
    expect(find(svg, 'text').getAttribute('text-anchor')).toBe('end');
  });

  it.each(['column', 'line'] as const)(
    'from right to left, the first place of a %s chart is on the right',
    (type) => {
      const tile = { ...byMonth, type };
      const [places, mirrored] = [{}, { formats }].map((options) =>
        placesOf(drawTile(tile, width, options), 'x'),
      );
      expect(places!.length).toBeGreaterThan(1);
      expect(mirrored!.map((place) => width - place)).toEqual(
        places!.map((place) => expect.closeTo(place)),
      );
    },
  );

  it('from right to left, the axis of values is on the right', () => {
    const svg = drawTile({ ...byMonth, type: 'column' }, width, { formats });
    const labels = find(svg, 'y-axis tick label');
    expect(labels.getAttribute('text-anchor')).toBe('start');
    const xs = [...labels.querySelectorAll('text')].map((text) =>
      Number(/translate\(([\d.]+),/.exec(text.getAttribute('transform')!)![1]),
    );
    expect(Math.min(...xs)).toBeGreaterThan(width / 2);
  });

  it('from right to left on a phone, long names above bars are right-aligned', () => {
    const [name] = [{}, { formats }]
      .map((options) => {
        const svg = drawTile({ ...byCategory, groups }, 200, options);
        const text = [...svg.querySelectorAll('[aria-label="text"]')].find((label) =>
          label.textContent.includes('A name'),
        )!;
        return text.getAttribute('text-anchor');
      })
      .toReversed();
    expect(name).toBe('end');
  });

  it('from right to left, long names below columns turn to the other side', () => {
    const tile = { ...byCategory, type: 'column' as const, groups };
    const labels = find(drawTile(tile, width, { formats }), 'x-axis tick label');
    expect(labels.getAttribute('text-anchor')).toBe('start');
    expect(labels.querySelector('text')!.getAttribute('transform')).toContain('rotate(45)');
  });
});
