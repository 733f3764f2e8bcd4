/** Joins the lines of a tooltip. */
export const writeTip = (...lines: readonly (string | undefined)[]): string =>
  lines.filter((line) => line !== undefined).join('\n');

/** Distance between a tooltip and its element, and to the ends of the window, in pixels. */
const gap = 6;

/**
 * Shows the text of `data-tip` beside the element that the pointer, a finger or the focus is at. Escape
 * hides it. A drawing changes its text with an event `input`.
 *
 * @returns a function that ends it
 */
export function showTips(): () => void {
  const tip = document.createElement('div');
  tip.className = 'tip';
  tip.id = 'tip';
  tip.role = 'tooltip';
  tip.popover = 'manual';
  let shown: Element | undefined;
  let anchor: Element | undefined;
  let described: Element | undefined;

  const hide = () => {
    shown = undefined;
    described?.removeAttribute('aria-describedby');
    described = undefined;
    removals.disconnect();
    if (tip.isConnected) tip.remove();
  };
  // A chart is drawn again when a mark is selected, and its tile can show a table in its place.
  const removals = new MutationObserver(() => {
    if (shown && !shown.isConnected) hide();
  });
  const show = (owner: HTMLElement | SVGElement, at: Element) => {
    hide();
    shown = owner;
    anchor = at;
    tip.textContent = owner.dataset['tip']!;
    // The pointer must not leave the chart for the tooltip, which would hide it.
    tip.style.pointerEvents = owner.matches('.plot') ? 'none' : '';
    (owner.closest('main') ?? document.body).append(tip);
    tip.showPopover?.();
    follow();
    removals.observe(document.body, { childList: true, subtree: true });
  };
  const follow = () => {
    if (!shown || !anchor) return;
    const point = shown.querySelector('.plot-tip > *');
    if (point) placeBeside(tip, point.getBoundingClientRect());
    else placeBelow(tip, anchor.getBoundingClientRect());
  };
  const handleOver = ({ target }: Event) => {
    if (tip.contains(target as Node)) return;
    const owner = findOwner(target);
    if (owner === shown) return;
    if (!owner) hide();
    // A row is wide: the tooltip stands at the cell that the pointer is at.
    else show(owner, (target as Element).closest('th, td') ?? owner);
  };
  const handleInput = ({ target }: Event) => {
    if (!(target instanceof SVGElement)) return;
    if (findOwner(target)) show(target, target);
    else if (target === shown) hide();
  };
  const handleLeave = ({ pointerType }: PointerEvent) => {
    // A finger leaves the page after a tap, which shows the tooltip of a chart.
    if (pointerType !== 'touch' || !shown?.matches('.plot')) hide();
  };
  const handleFocus = ({ target }: Event) => {
    const owner = findOwner(target);
    if (!owner || !(target as Element).matches(':focus-visible')) return;
    show(owner, target as Element);
    described = target as Element;
    described.setAttribute('aria-describedby', tip.id);
  };
  const handleBlur = () => {
    if (described) hide();
  };
  const handleKey = ({ key }: KeyboardEvent) => {
    if (key === 'Escape') hide();
  };
  const ended = new AbortController();
  const options = { signal: ended.signal, passive: true };
  document.addEventListener('pointerover', handleOver, options);
  document.addEventListener('input', handleInput, options);
  document.addEventListener('focusin', handleFocus, options);
  document.addEventListener('focusout', handleBlur, options);
  document.addEventListener('keydown', handleKey, options);
  document.addEventListener('scroll', follow, { ...options, capture: true });
  document.documentElement.addEventListener('pointerleave', handleLeave, options);
  return () => {
    ended.abort();
    hide();
  };
}

const findOwner = (target: EventTarget | null) =>
  target instanceof Element
    ? (target.closest<HTMLElement | SVGElement>('[data-tip]') ?? undefined)
    : undefined;

/** Places a tooltip below its element, or above it without room. */
function placeBelow(tip: HTMLElement, { left, right, top, bottom }: DOMRect): void {
  const { width, height } = tip.getBoundingClientRect();
  const isAbove =
    bottom + gap + height > document.documentElement.clientHeight && top - gap - height > 0;
  move(tip, (left + right - width) / 2, isAbove ? top - gap - height : bottom + gap);
}

/** Places a tooltip to the right of a point, or to its left without room. */
function placeBeside(tip: HTMLElement, { left, right, top, bottom }: DOMRect): void {
  const { width, height } = tip.getBoundingClientRect();
  const distance = 2 * gap;
  const isLeft =
    right + distance + width > document.documentElement.clientWidth && left - distance - width > 0;
  move(tip, isLeft ? left - distance - width : right + distance, (top + bottom - height) / 2);
}

/** Moves a tooltip inside the window. */
function move(tip: HTMLElement, x: number, y: number): void {
  const { width, height } = tip.getBoundingClientRect();
  const { clientWidth, clientHeight } = document.documentElement;
  tip.style.left = `${Math.max(gap, Math.min(x, clientWidth - width - gap))}px`;
  tip.style.top = `${Math.max(gap, Math.min(y, clientHeight - height - gap))}px`;
}
