/** Id of the pattern in each drawing. A picture of a drawing has no other elements, so each has its own. */
export const hatchId = 'below-zero';

const size = 6;

/** Adds a pattern of lines in the color of the surface to a drawing that uses it. */
export function addHatch(svg: Element): void {
  if (!svg.querySelector(`[fill="url(#${hatchId})"]`)) return;
  const pattern = create('pattern', {
    id: hatchId,
    width: size,
    height: size,
    patternUnits: 'userSpaceOnUse',
    patternTransform: 'rotate(45)',
  });
  pattern.append(
    create('rect', { width: 2, height: size, fill: 'var(--surface)', 'fill-opacity': 0.6 }),
  );
  svg.prepend(pattern);
}

function create(name: string, attributes: Record<string, string | number>): Element {
  const element = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  return element;
}
