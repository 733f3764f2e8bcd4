import type { Look } from '@portal-embed/contract/frame';

import { densities, findAlike, fonts, isColor, paletteSizes, radii } from '#viewer/requests';

/** What the form holds: each token, and the colors as text. */
export interface LookDraft {
  font: (typeof fonts)[number];
  radius: (typeof radii)[number];
  density: (typeof densities)[number];
  palette: string;
}

const pick = <Value extends string>(values: readonly Value[], value: string | undefined): Value =>
  values.find((each) => each === value) ?? values[0]!;

export const createDraft = ({ font, radius, density, palette = [] }: Look): LookDraft => ({
  font: pick(fonts, font),
  radius: pick(radii, radius),
  density: pick(densities, density),
  palette: palette.join(' '),
});

/** The colors of a text, separated by spaces or commas. */
export const readColors = (palette: string): string[] => palette.split(/[\s,]+/).filter(Boolean);

/** The look of a draft, without what the usual look has; `undefined` if its palette cannot be saved. */
export function readDraft(draft: LookDraft): SavedLook | undefined {
  const { font, radius, density } = draft;
  const palette = readColors(draft.palette);
  if (palette.length > 0 && !isPalette(palette)) return undefined;
  return {
    ...(font !== fonts[0] && { font }),
    ...(radius !== radii[0] && { radius }),
    ...(density !== densities[0] && { density }),
    ...(palette.length > 0 && { palette }),
  };
}

type SavedLook = Partial<Omit<LookDraft, 'palette'>> & { palette?: string[] };

const isPalette = (colors: readonly string[]) =>
  areColors(colors) && findAlike(colors).length === 0;

/** Whether the colors are as many as a palette has, and written as such. */
export const areColors = (colors: readonly string[]): boolean =>
  colors.length >= paletteSizes.least &&
  colors.length <= paletteSizes.most &&
  colors.every(isColor);

/** The pairs of colors that some people cannot tell apart, such as `#111111 – #121212`. */
export const listAlike = (colors: readonly string[]): string =>
  findAlike(colors)
    .map((pair) => pair.join(' – '))
    .join(', ');
