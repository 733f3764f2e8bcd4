/** Reads a drawn chart. */

export const find = (svg: Element, label: string) => svg.querySelector(`[aria-label="${label}"]`)!;
/** The last rectangles without a hatch, because the first ones are highlights. */
export const barsOf = (svg: Element) =>
  [...svg.querySelectorAll('[aria-label="rect"]:not([fill^="url"])')].at(-1)!;
/** The hatches of the bars below zero, if there are any. */
export const hatchesOf = (svg: Element) => [...svg.querySelectorAll('[fill^="url"] rect')];
export const textsOf = (svg: Element, label: string) =>
  [...find(svg, label).querySelectorAll('text')].map((text) => text.textContent);
/** Positions of the labels of an axis, horizontal or vertical. */
export const placesOf = (svg: Element, axis: 'x' | 'y') =>
  [...find(svg, `${axis}-axis tick label`).querySelectorAll('text')].map((text) => {
    const [, x, y] = /translate\(([\d.]+),([\d.]+)\)/.exec(text.getAttribute('transform')!)!;
    return Number(axis === 'x' ? x : y);
  });
export const numberOf = (element: Element, name: string) => Number(element.getAttribute(name));

export const names = (count: number, name = 'Name') =>
  Array.from({ length: count }, (_, index) => ({
    keys: [`${name} ${index}`],
    values: [index + 1],
  }));
