'use client';
import { useContext, useEffect, useMemo, useRef, useState } from 'react';
import type { RefObject } from 'react';

import { createEmbed } from './core/embed.ts';
import type { Embed, EmbedHandle } from './core/embed.ts';
import type { EmbedOptions, EmbedState } from './core/options.ts';
import { DefaultsContext } from './provider.ts';

export interface PortalEmbedHook {
  /** Give it to the element that shall hold the frame; style that `position: relative`. */
  ref: RefObject<HTMLDivElement | null>;
  state: EmbedState;
  /** The same object at every render. */
  handle: EmbedHandle;
}

/** What `PortalEmbed` is made of, for those who draw their own frame around the report. */
export function usePortalEmbed(options: EmbedOptions): PortalEmbedHook {
  const merged = { ...useContext(DefaultsContext), ...options };
  const [state, setState] = useState<EmbedState>({ status: 'idle' });
  const ref = useRef<HTMLDivElement>(null);
  const embed = useRef<Embed>(undefined);

  useEffect(() => {
    const own = (embed.current = createEmbed(ref.current!, merged, setState));
    return () => {
      own.destroy();
      setState({ status: 'idle' });
    };
    // Once per mount: later options go through `update`.
    // oxlint-disable-next-line react/exhaustive-deps
  }, []);
  useEffect(() => embed.current!.update(merged));

  const handle = useMemo<EmbedHandle>(
    () => ({
      refresh: async () => embed.current?.refresh(),
      setFilters: (filters) => embed.current?.setFilters(filters),
      get iframe() {
        return embed.current?.iframe ?? null;
      },
    }),
    [],
  );
  return { ref, state, handle };
}
