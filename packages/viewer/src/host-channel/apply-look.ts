import type { FrameOptions } from '@portal-embed/contract/frame';

import { listLookVariables } from '../requests/look.ts';

/** The variables that the host has set. */
let set: readonly string[] = [];

/**
 * Applies the host's options to the document. An option that the host does not set has the default of
 * the page. The style sheet keeps any accent color visible on the page's surfaces.
 */
export function applyLook({ theme = 'auto', accentColor = '', autoHeight = false }: FrameOptions) {
  const { dataset, style } = document.documentElement;
  const look = typeof theme === 'object' ? theme : { mode: theme };
  dataset['theme'] = look.mode ?? 'auto';
  const variables = listLookVariables(look);
  for (const name of set) style.removeProperty(name);
  for (const [name, value] of variables) style.setProperty(name, value);
  set = variables.map(([name]) => name);
  // An empty value removes the property, and the organization's color applies.
  style.setProperty('--accent', /^#[\da-f]{6}$/i.test(accentColor) ? accentColor : '');
  if (autoHeight) dataset['autoHeight'] = '';
  else delete dataset['autoHeight'];
}
