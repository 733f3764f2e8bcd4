import type { FrameOptions } from '@portal-embed/contract/frame';

/** Whether the host has set a look, of which the next one replaces everything. */
let hasLook = false;

/**
 * Applies the host's options to the document. An option that the host does not set has the default of
 * the page. The style sheet keeps any accent color visible on the page's surfaces.
 */
export function applyLook({ theme = 'auto', accentColor = '', autoHeight = false }: FrameOptions) {
  const { dataset, style } = document.documentElement;
  const look = typeof theme === 'object' ? theme : undefined;
  dataset['theme'] = (look ? look.mode : (theme as string)) ?? 'auto';
  // Most hosts set none, so its code loads with the first one.
  if (look || hasLook)
    void import('./set-look.ts').then(({ setLook }) => setLook(look ?? {})).catch(() => {});
  hasLook = look !== undefined;
  // An empty value removes the property, and the organization's color applies.
  style.setProperty('--accent', /^#[\da-f]{6}$/i.test(accentColor) ? accentColor : '');
  if (autoHeight) dataset['autoHeight'] = '';
  else delete dataset['autoHeight'];
}
