import type { ChangeHeight } from '../full-view.tsx';

/** Shows a tile over the whole page. As a popover, it needs no permission of the host. */
export function enlargeTile(section: HTMLElement, setHeight: ChangeHeight) {
  const closed = new AbortController();
  const fit = () => setHeight(innerHeight);
  section.popover = 'auto';
  section.showPopover();
  fit();
  addEventListener('resize', fit, { signal: closed.signal });
  const restore = ({ newState, target }: ToggleEvent) => {
    if (newState !== 'closed' || target !== section) return;
    section.popover = null;
    section.removeEventListener('toggle', restore);
    closed.abort();
    setHeight(undefined);
  };
  section.addEventListener('toggle', restore);
}
