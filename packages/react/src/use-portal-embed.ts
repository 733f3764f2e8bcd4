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

/** Defaults for every `PortalEmbed` and `usePortalEmbed` below; a prop of theirs wins. */
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
   * For the element that shall hold the frame: `position: relative`, and there from the first render
   * to the last. Call the hook in a component that comes and goes with its element.
   */
  // No `RefObject`: what that is given for its element differs between the types of React 18 and 19.
  ref: { readonly current: HTMLDivElement | null };
  state: EmbedState;
  /** The same object at every render. */
  handle: EmbedHandle;
  /** The options with the provider's defaults. */
  options: Options;
}

/** What `PortalEmbed` is made of, for those who draw their own frame around the report. */
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
