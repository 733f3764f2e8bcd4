import { createElement, StrictMode } from 'react';
import { createPortal, flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';

import { PortalEmbed } from '../../src/index.ts';
import type { EmbedHandle, EmbedState, PortalEmbedProps } from '../../src/index.ts';

/** The interface of the host page for tests. */
export interface App {
  mount: (
    props?: PortalEmbedProps & { strict?: boolean | undefined; keys?: string[] | undefined },
  ) => void;
  unmount: () => void;
  /** Where the embeds are rendered instead of the page, for example in another window. */
  place: Element | undefined;
  handle: EmbedHandle | null;
  states: EmbedState['status'][];
  causes: string[];
  /** The texts of the errors. */
  messages: string[];
  readies: unknown[];
  refreshes: unknown[];
  navigations: unknown[];
}

declare global {
  interface Window {
    app: App;
  }
}

const root = createRoot(document.querySelector('#root')!);

const app: App = {
  mount({ strict, keys = ['only'], ...props } = {}) {
    const embeds = keys.map((key) =>
      createElement(PortalEmbed, {
        key,
        ref: (handle: EmbedHandle | null) => {
          app.handle = handle;
        },
        onStateChange: (state) => app.states.push(state.status),
        onError: ({ cause, message }) => {
          app.causes.push(cause);
          app.messages.push(message);
        },
        onReady: (event) => app.readies.push(event),
        onRefresh: (event) => app.refreshes.push(event),
        onNavigate: (event) => app.navigations.push(event),
        ...props,
      }),
    );
    // Synchronously, because later calls of the handle must apply after these props.
    const content = strict ? createElement(StrictMode, null, embeds) : embeds;
    flushSync(() => root.render(app.place ? createPortal(content, app.place) : content));
  },
  // Synchronously, because React would otherwise merge the unmount with the next mount.
  unmount: () => flushSync(() => root.render(null)),
  place: undefined,
  handle: null,
  states: [],
  causes: [],
  messages: [],
  readies: [],
  refreshes: [],
  navigations: [],
};

window.app = app;
