/** Joins the lines of a tooltip. */
export const writeTip = (...lines: readonly (string | undefined)[]): string =>
  lines.filter((line) => line !== undefined).join('\n');

/** Distance between a tooltip and its element, in pixels. */
const gap = 6;

/**
 * Shows the text of `data-tip` beside the element that the pointer, a finger or the focus is at. Escape
 * hides it.
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
    if (tip.isConnected) tip.remove();
  };
  const show = (owner: HTMLElement | SVGElement, at: Element) => {
    hide();
    shown = owner;
    anchor = at;
    tip.textContent = owner.dataset['tip']!;
    (owner.closest('main') ?? document.body).append(tip);
    tip.showPopover?.();
    follow();
  };
  const follow = () => {
    if (shown && anchor) place(tip, anchor.getBoundingClientRect());
  };
  const handleOver = ({ target }: Event) => {
    if (tip.contains(target as Node)) return;
    const owner = findOwner(target);
    if (owner === shown) return;
    if (!owner) hide();
    // A row is wide: the tooltip stands at the cell that the pointer is at.
    else show(owner, (target as Element).closest('th, td') ?? owner);
  };
  const handleFocus = ({ target }: Event) => {
    const owner = findOwner(target);
    if (!owner || !(target as Element).matches(':focus-visible')) return;
    show(owner, target as Element);
    described = target as Element;
    described.setAttribute('aria-describedby', tip.id);
  };
  const handleKey = ({ key }: KeyboardEvent) => {
    if (key === 'Escape') hide();
  };
  const ended = new AbortController();
  const options = { signal: ended.signal, passive: true };
  document.addEventListener('pointerover', handleOver, options);
  document.addEventListener('focusin', handleFocus, options);
  document.addEventListener('focusout', hide, options);
  document.addEventListener('keydown', handleKey, options);
  document.addEventListener('scroll', follow, { ...options, capture: true });
  document.documentElement.addEventListener('pointerleave', hide, options);
  return () => {
    ended.abort();
    hide();
  };
}

const findOwner = (target: EventTarget | null) =>
  target instanceof Element
    ? (target.closest<HTMLElement | SVGElement>('[data-tip]') ?? undefined)
    : undefined;

/** Places a tooltip below its element, or above it without room, inside the window. */
function place(tip: HTMLElement, { left, right, top, bottom }: DOMRect): void {
  const { width, height } = tip.getBoundingClientRect();
  const { clientWidth, clientHeight } = document.documentElement;
  const x = Math.max(gap, Math.min((left + right - width) / 2, clientWidth - width - gap));
  const isAbove = bottom + gap + height > clientHeight && top - gap - height > 0;
  tip.style.left = `${x}px`;
  tip.style.top = `${isAbove ? top - gap - height : bottom + gap}px`;
}
