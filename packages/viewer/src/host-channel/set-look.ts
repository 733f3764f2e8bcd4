import type { Look } from '@portal-embed/contract/frame';

import { listLookVariables } from '../requests/look.ts';
import { loadFonts } from './load-fonts.ts';

/** The variables that the host has set. */
let known: readonly string[] = [];

/** Sets the variables of the host's look over those of the organization. */
export function setLook(look: Look): void {
  const { style } = document.documentElement;
  const variables = listLookVariables(look);
  for (const name of known) style.removeProperty(name);
  for (const [name, value] of variables) style.setProperty(name, value);
  known = variables.map(([name]) => name);
  loadFonts();
}
