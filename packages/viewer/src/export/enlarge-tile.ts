/** Shows a tile over the whole page. As a popover, it needs no permission of the host. */
export function enlargeTile(section: HTMLElement) {
  section.popover = 'auto';
  section.showPopover();
  const restore = ({ newState, target }: ToggleEvent) => {
    if (newState !== 'closed' || target !== section) return;
    section.popover = null;
    section.removeEventListener('toggle', restore);
  };
  section.addEventListener('toggle', restore);
}
