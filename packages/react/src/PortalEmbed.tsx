'use client';
import { forwardRef, useContext, useImperativeHandle } from 'react';
import type { CSSProperties, ReactNode } from 'react';

import type { EmbedHandle } from './core/embed.ts';
import type { EmbedError } from './core/error.ts';
import type { EmbedOptions } from './core/options.ts';
import { DefaultsContext } from './provider.ts';
import { defaultTexts, pickText } from './texts.ts';
import type { EmbedTexts } from './texts.ts';
import { usePortalEmbed } from './use-portal-embed.ts';

/** The props of `PortalEmbed`. */
export interface PortalEmbedProps extends EmbedOptions {
  className?: string | undefined;
  style?: CSSProperties | undefined;
  /** Replaces texts of the default UI. */
  texts?: Partial<EmbedTexts> | undefined;
  /** Shown until the report is ready, instead of the default. */
  loading?: ReactNode;
  /** Shown after a failure, instead of the default. */
  error?: ReactNode | ((error: EmbedError, retry: () => void) => ReactNode);
  /** Shown when the host endpoint says that nobody is signed in, instead of the default. */
  signedOut?: ReactNode;
}

const root: CSSProperties = {
  position: 'relative',
  height: 'var(--portal-embed-height, 100%)',
  minHeight: 'var(--portal-embed-min-height, 24rem)',
};

const cover: CSSProperties = {
  position: 'absolute',
  inset: 0,
  display: 'flex',
  flexDirection: 'column',
  gap: '1rem',
  alignItems: 'center',
  justifyContent: 'center',
  textAlign: 'center',
  font: 'var(--portal-embed-font, 1rem system-ui)',
  color: 'var(--portal-embed-color, CanvasText)',
  background: 'var(--portal-embed-background, Canvas)',
};

/** Shows the whole portal, or the report `reportId`, as the user of the host's current session. */
export const PortalEmbed = forwardRef<EmbedHandle, PortalEmbedProps>((own, handleRef) => {
  const props = { ...useContext(DefaultsContext), ...own };
  const { ref, state, handle } = usePortalEmbed(props);
  useImperativeHandle(handleRef, () => handle, [handle]);

  const { theme, error: slot } = props;
  const text = pickText(state);
  const shown = text === 'ready';
  const { error } = state;
  const retry = () => void handle.refresh();
  const given = shown
    ? undefined
    : text === 'signedOut'
      ? props.signedOut
      : !error
        ? props.loading
        : typeof slot === 'function'
          ? slot(error, retry)
          : slot;

  return (
    <div
      className={props.className}
      style={{ ...root, colorScheme: theme === 'auto' ? 'light dark' : theme, ...props.style }}
      data-portal-embed={state.status}
      aria-busy={text === 'loading'}
    >
      <div ref={ref} style={{ position: 'relative', height: '100%', minHeight: 'inherit' }} />
      {/* Stays when the report is ready: a screen reader hears only what changes in it. */}
      <div style={shown ? { ...cover, opacity: 0, pointerEvents: 'none' } : cover}>
        <output>{given ?? { ...defaultTexts, ...props.texts }[text]}</output>
        {error && given === undefined && (
          <button type="button" onClick={retry}>
            {props.texts?.retry ?? defaultTexts.retry}
          </button>
        )}
      </div>
    </div>
  );
});
PortalEmbed.displayName = 'PortalEmbed';
