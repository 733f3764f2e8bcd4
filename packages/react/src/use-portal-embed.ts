'use client';
import { createContext, createElement, useContext, useEffect, useRef, useState } from 'react';
import type { ReactNode, RefObject } from 'react';

import { createEmbed } from './core/embed.ts';
import type { EmbedHandle } from './core/embed.ts';
import type { EmbedOptions, EmbedState } from './core/options.ts';
import type { PortalEmbedProps } from './PortalEmbed.ts';

const DefaultsContext = createContext<Partial<PortalEmbedProps>>({});

/** Defaults for every `PortalEmbed` and `usePortalEmbed` below; a prop of theirs wins. */
export const PortalEmbedProvider = ({
  children,
  ...defaults
}: Partial<PortalEmbedProps> & { children?: ReactNode }) =>
  createElement(DefaultsContext.Provider, { value: defaults }, children);

export interface PortalEmbedHook<Options> {
  /** For the element that shall hold the frame, which is to be `position: relative`. */
  ref: RefObject<HTMLDivElement | null>;
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
  // Once per mount: later options go through `update`.
  // oxlint-disable-next-line react/exhaustive-deps
  useEffect(() => embed.mount(ref.current!, options), []);
  useEffect(() => embed.update(options));
  return { ref, state, handle: embed, options };
};
