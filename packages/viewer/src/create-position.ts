import type { PortalMessage } from '@portal-embed/contract/frame';

type ViewMessage = Extract<PortalMessage, { type: 'view' }>;

/**
 * The view and scroll position that the host keeps. Returns the host's own text until the reader changes
 * the view: another text for the same view would add an entry to the host's history.
 */
export function createPosition(
  post: (position: Pick<ViewMessage, 'view' | 'scroll'>) => void,
  writeView: () => string,
) {
  let given: string | undefined;
  /** Restored once there is content. */
  let scrollAwaited: number | undefined;

  return {
    post: () => post({ view: given ?? writeView(), scroll: scrollAwaited ?? window.scrollY }),
    /** Applies a view of the host. */
    apply(view: string, scroll: number | undefined) {
      given = view;
      scrollAwaited = scroll;
    },
    /** Call when the reader has changed the view in place. */
    change() {
      given = undefined;
    },
    /** Call when another report or page is shown. */
    reset(scroll?: number) {
      given = undefined;
      scrollAwaited = scroll;
    },
    restoreScroll() {
      if (scrollAwaited !== undefined) window.scrollTo(0, scrollAwaited);
      scrollAwaited = undefined;
    },
  };
}
