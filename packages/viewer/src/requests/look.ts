import type { Look } from '@portal-embed/contract/frame';

import { adaptColor } from './adapt-color.ts';

/** The values of each token, with the one of the usual look first. */
export const fonts = ['system', 'inter', 'source-serif'] as const;
export const radii = ['medium', 'none', 'small', 'large'] as const;
export const densities = ['normal', 'compact', 'spacious'] as const;
/** Numbers of colors of a palette. The colors after them are the usual ones. */
export const paletteSizes = { least: 3, most: 10 } as const;

const fontFamilies: Record<string, string> = {
  inter: 'Inter,system-ui,sans-serif',
  'source-serif': "'Source Serif 4',Georgia,serif",
};
const radiusLengths: Record<string, string> = { none: '0px', small: '4px', large: '14px' };
const densitySizes: Record<string, { space: string; text: string }> = {
  compact: { space: '10px', text: '0.8125rem' },
  spacious: { space: '22px', text: '0.9375rem' },
};

export const isColor = (color: string): boolean => /^#[\da-f]{6}$/i.test(color);

const find = <Value>(table: Record<string, Value>, name = ''): Value | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined;

/** The variables of the style sheet that a look sets. Unknown values set none. */
export function listLookVariables({ font, radius, density, palette = [] }: Look) {
  const sizes = find(densitySizes, density);
  const series = palette
    .slice(0, paletteSizes.most)
    .map((color, index) => [`--series-${index + 1}`, isColor(color) && adaptColor(color)] as const);
  return (
    [
      ['--font', find(fontFamilies, font)],
      ['--radius', find(radiusLengths, radius)],
      ['--space', sizes?.space],
      ['--text-size', sizes?.text],
      ...series,
    ] as const
  ).flatMap(([name, value]): [string, string][] => (value ? [[name, value]] : []));
}
