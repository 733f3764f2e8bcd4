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

/** The variables of the style sheet that a look sets. Unknown values set none. */
export function listLookVariables({
  font,
  radius,
  density,
  palette = [],
}: Look): [string, string][] {
  const own = (table: Record<string, unknown>, name = '') => Object.hasOwn(table, name);
  const sizes = own(densitySizes, density) ? densitySizes[density!]! : undefined;
  return [
    ...(own(fontFamilies, font) ? [['--font', fontFamilies[font!]!] as [string, string]] : []),
    ...(own(radiusLengths, radius)
      ? [['--radius', radiusLengths[radius!]!] as [string, string]]
      : []),
    ...(sizes
      ? ([
          ['--space', sizes.space],
          ['--text-size', sizes.text],
        ] as [string, string][])
      : []),
    ...palette
      .slice(0, paletteSizes.most)
      .flatMap((color, index): [string, string][] =>
        isColor(color) ? [[`--series-${index + 1}`, adaptColor(color)]] : [],
      ),
  ];
}
