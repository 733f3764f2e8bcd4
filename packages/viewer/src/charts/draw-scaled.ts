/** The font size for which drawings are laid out, in CSS pixels. */
export const usualFontSize = 16;

/**
 * Draws at the size of the reader's font: a drawing for a larger font has less width in its own units.
 *
 * @param width in CSS pixels
 * @param options `height` to fill, in CSS pixels; `zoom` enlarges the drawing and its labels
 */
export function drawScaled(
  draw: (width: number, height?: number) => Element,
  width: number,
  { height, zoom = 1 }: { height?: number | undefined; zoom?: number } = {},
): Element {
  const fontSize = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
  const scale = ((fontSize || usualFontSize) / usualFontSize) * zoom;
  const asked = Math.round(width / scale);
  const drawing = height === undefined ? draw(asked) : draw(asked, Math.round(height / scale));
  const sizeOf = (name: string) => Number(drawing.getAttribute(name));
  // A drawing that is wider than its place shrinks.
  const shrink = asked / Math.max(asked, sizeOf('width'));
  drawing.setAttribute('height', String(sizeOf('height') * scale * shrink));
  drawing.setAttribute('width', String(width));
  return drawing;
}
