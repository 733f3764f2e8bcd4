/* oxlint-disable react/refs -- `createElement` keeps the ref and does not read it */
'use client';
import {
  createContext,
  createElement,
  forwardRef,
  useContext,
  useEffect,
  useImperativeHandle,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import type { CSSProperties, ReactNode } from 'react';

import { createEmbed } from './core/embed.ts';
import type { EmbedHandle } from './core/embed.ts';
import type { EmbedError } from './core/error.ts';
import { schemeOf, type EmbedOptions, type EmbedState } from './core/options.ts';
import { defaultTexts, pickAction, pickView } from './texts.ts';
import type { EmbedTexts } from './texts.ts';

/** Replaces a part of the default UI: a node, or a function of the failure. */
export type Slot = ReactNode | ((error: EmbedError | undefined, retry: () => void) => ReactNode);

/** The props of `PortalEmbed`. */
export interface PortalEmbedProps extends EmbedOptions {
  className?: string | undefined;
  style?: CSSProperties | undefined;
  /** Texts of the default UI. */
  texts?: Partial<EmbedTexts> | undefined;
  /** Shown until the report is ready. */
  loading?: Slot;
  /** Shown after a failure. */
  error?: Slot;
  /** Shown when the reader may not see the report. */
  refused?: Slot;
  /** Shown when the host endpoint answers `not_signed_in`. */
  signedOut?: Slot;
}

const DefaultsContext = createContext<Partial<PortalEmbedProps>>({});

const merge = <Options extends Partial<PortalEmbedProps>>(
  outer: Partial<PortalEmbedProps>,
  own: Options,
): Options => ({ ...outer, ...own, texts: { ...outer.texts, ...own.texts } });

/** Sets defaults for every `PortalEmbed` and `usePortalEmbed` below. Their own props take precedence. */
export const PortalEmbedProvider = ({
  children,
  ...defaults
}: Partial<PortalEmbedProps> & { children?: ReactNode }) =>
  createElement(
    DefaultsContext.Provider,
    { value: merge(useContext(DefaultsContext), defaults) },
    children,
  );

export interface PortalEmbedHook<Options> {
  /**
   * For the element that contains the frame. It needs `position: relative`, and it must exist as long
   * as the component that calls the hook.
   */
  // Not `RefObject`, because its type differs between React 18 and 19.
  ref: { readonly current: HTMLDivElement | null };
  state: EmbedState;
  /** The same object in every render. */
  handle: EmbedHandle;
  /** The options with the provider's defaults. */
  options: Options;
}

/** Shows the report in an element of your own. `PortalEmbed` is built on it. */
export const usePortalEmbed = <Options extends EmbedOptions>(
  own: Options,
): PortalEmbedHook<Options> => {
  const options = { ...useContext(DefaultsContext), ...own };
  const ref = useRef<HTMLDivElement>(null);
  const [state, setState] = useState<EmbedState>({ status: 'idle' });
  const [embed] = useState(() => createEmbed(setState));
  useEffect(() => embed.update(options));
  useEffect(() => embed.mount(ref.current!), [embed]);
  return { ref, state, handle: embed, options };
};

/** Shows the report `reportId`, or the whole portal, as the user of the host's session. */
export const PortalEmbed = forwardRef<EmbedHandle, PortalEmbedProps>((own, forwarded) => {
  const { ref, state, handle, options } = usePortalEmbed(own);
  useImperativeHandle(forwarded, () => handle);
  // False on a server and in hydration, because `style-src` blocks style attributes of markup.
  const hasStyles = useSyncExternalStore<boolean | undefined>(
    () => () => {},
    () => true,
    () => {},
  );

  const texts = { ...defaultTexts, ...options.texts };
  const { status, error } = state;
  const view = pickView(state);
  const slot = options[view as 'loading'];
  const action = slot ? undefined : pickAction(view, options);

  return createElement(
    'div',
    {
      ref,
      tabIndex: -1,
      className: options.className,
      'data-portal-embed': status,
      style: hasStyles && {
        position: 'relative',
        height: '100%',
        // With `autoHeight` React sets the height, so that it restores it when `autoHeight` ends.
        [options.autoHeight ? 'height' : 'minHeight']: 'var(--portal-embed-min-height,24rem)',
        colorScheme: schemeOf(options.theme),
        ...options.style,
      },
    },
    // Always rendered, because screen readers announce only changes of an existing element.
    createElement(
      'div',
      {
        style: hasStyles && {
          position: 'absolute',
          inset: 0,
          display: 'grid',
          placeContent: 'center',
          gap: 16,
          color: 'var(--portal-embed-color,CanvasText)',
          background: 'var(--portal-embed-background,Canvas)',
          opacity: +(view !== 'ready'),
        },
      },
      createElement(
        'output',
        null,
        typeof slot === 'function' ? slot(error, handle.refresh) : (slot ?? texts[view]),
      ),
      action &&
        createElement(
          'button',
          {
            type: 'button',
            onClick: () => {
              if (action === 'requestAccess') options.onRequestAccess!(error!);
              else {
                // React removes the button, which would move the focus to the start of the page.
                ref.current!.focus({ preventScroll: true });
                handle.refresh();
              }
            },
            style: { font: 'inherit' },
          },
          texts[action],
        ),
    ),
  );
});
