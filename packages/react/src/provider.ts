'use client';
import { createContext, createElement } from 'react';
import type { ReactNode } from 'react';

import type { PortalEmbedProps } from './PortalEmbed.tsx';

export const DefaultsContext = createContext<Partial<PortalEmbedProps>>({});

/** Defaults for every `PortalEmbed` and `usePortalEmbed` below; a prop of theirs wins. */
export const PortalEmbedProvider = ({
  children,
  ...defaults
}: Partial<PortalEmbedProps> & { children?: ReactNode }) =>
  createElement(DefaultsContext.Provider, { value: defaults }, children);
