'use client';
import { createContext, createElement, useContext, useEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';

import { createEmbed } from './core/embed.ts';
import type { EmbedHandle } from './core/embed.ts';
import type { EmbedOptions, EmbedState } from './core/options.ts';
import type { PortalEmbedProps } from './PortalEmbed.ts';

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
