'use client';
import { createContext, createElement, useContext, useEffect, useState } from 'react';
import type { ReactNode, RefCallback } from 'react';

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
   * For the element that shall hold the frame, which is to be `position: relative`. It may come after
   * the first render, go and come back: the embed lives as long as it.
   */
  ref: RefCallback<HTMLElement>;
  /** That element, once it is there. */
  element: HTMLElement | null;
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
  const [element, ref] = useState<HTMLElement | null>(null);
  const [state, setState] = useState<EmbedState>({ status: 'idle' });
  const [embed] = useState(() => createEmbed(setState));
  useEffect(() => embed.update(options));
  useEffect(() => (element ? embed.mount(element) : undefined), [embed, element]);
  return { ref, element, state, handle: embed, options };
};
