'use client';
import { createElement, forwardRef, useImperativeHandle, useSyncExternalStore } from 'react';
import type { CSSProperties, ReactNode } from 'react';

import type { EmbedHandle } from './core/embed.ts';
import type { EmbedError } from './core/error.ts';
import type { EmbedOptions } from './core/options.ts';
import { defaultTexts, pickView } from './texts.ts';
import type { EmbedTexts } from './texts.ts';
import { usePortalEmbed } from './use-portal-embed.ts';

/** What to show in place of the default UI; a function is told of the failure. */
export type Slot = ReactNode | ((error: EmbedError | undefined, retry: () => void) => ReactNode);

/** The props of `PortalEmbed`. */
export interface PortalEmbedProps extends EmbedOptions {
  className?: string | undefined;
  style?: CSSProperties | undefined;
  /** Replaces texts of the default UI. */
  texts?: Partial<EmbedTexts> | undefined;
  /** Shown until the report is ready. */
  loading?: Slot;
  /** Shown after a failure. */
  error?: Slot;
  /** Shown when this reader may not see the report. */
  refused?: Slot;
  /** Shown when the host endpoint says that nobody is signed in. */
  signedOut?: Slot;
}

/** Shows the whole portal, or the report `reportId`, as the user of the host's current session. */
export const PortalEmbed = forwardRef<EmbedHandle, PortalEmbedProps>((own, forwarded) => {
  const { ref, state, handle, options } = usePortalEmbed(own);
  useImperativeHandle(forwarded, () => handle);
  // Not on a server, nor in hydration: style attributes of a document are what `style-src` blocks.
  const scripted = useSyncExternalStore<boolean | undefined>(
    () => () => {},
    () => true,
    () => {},
  );

  const texts = { ...defaultTexts, ...options.texts };
  const { status, error } = state;
  const view = pickView(state);
  const slot = options[view as 'loading'];

  return createElement(
    'div',
    {
      ref,
      tabIndex: -1,
      className: options.className,
      'data-portal-embed': status,
      style: {
        ...(scripted && {
          position: 'relative',
          height: '100%',
          // Of its own with `autoHeight`, so that React takes back the report's once that is turned off.
          [options.autoHeight ? 'height' : 'minHeight']: 'var(--portal-embed-min-height,24rem)',
          // React leaves a property without a value: then it is the page's.
          colorScheme: (options.theme !== 'auto' && options.theme) as 'light' | 'dark' | undefined,
        }),
        ...options.style,
      },
    },
    // Under the frame, and there to stay: a screen reader hears only what changes in it.
    createElement(
      'div',
      {
        style: scripted && {
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
      error &&
        !slot &&
        createElement(
          'button',
          {
            type: 'button',
            onClick: () => {
              // The button goes, and the focus with it would go to the beginning of the page.
              ref.current!.focus({ preventScroll: true });
              handle.refresh();
            },
            style: { font: 'inherit' },
          },
          texts.retry,
        ),
    ),
  );
});
