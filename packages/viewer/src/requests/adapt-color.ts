/** Makes a color dark enough for a light page, and light enough for a dark one. */
export const adaptColor = (color: string): string =>
  `light-dark(oklch(from ${color} min(l, 0.6) c h), oklch(from ${color} max(l, 0.62) c h))`;
