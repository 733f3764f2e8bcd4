import type { ChangeHeight } from '../full-view.tsx';

/** Shows a tile over the whole page. As a popover, it needs no permission of the host. */
export function enlargeTile(section: HTMLElement, setHeight: ChangeHeight) {
  const closed = new AbortController();
  const fit = () => setHeight(innerHeight);
  const row = section.parentElement!;
  // WebKit crashes if an item of a grid in a query container becomes a popover, so the row is first laid
  // out as a block.
  row.style.display = 'block';
  row.getBoundingClientRect();
  section.popover = 'auto';
  section.showPopover();
  fit();
  addEventListener('resize', fit, { signal: closed.signal });
  const restore = ({ newState, target }: ToggleEvent) => {
    if (newState !== 'closed' || target !== section) return;
    section.popover = null;
    row.style.display = '';
    section.removeEventListener('toggle', restore);
    closed.abort();
    setHeight(undefined);
  };
  section.addEventListener('toggle', restore);
}
