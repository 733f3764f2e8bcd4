import type { FrameOptions } from '@portal-embed/contract/frame';

/**
 * Applies the host's options to the document. An option that the host does not set has the default of
 * the page. The style sheet keeps any accent color visible on the page's surfaces.
 */
export function applyLook({ theme = 'auto', accentColor = '', autoHeight = false }: FrameOptions) {
  const { dataset, style } = document.documentElement;
  dataset['theme'] = theme;
  // An empty value removes the property, and the organization's color applies.
  style.setProperty('--accent', /^#[\da-f]{6}$/i.test(accentColor) ? accentColor : '');
  if (autoHeight) dataset['autoHeight'] = '';
  else delete dataset['autoHeight'];
}
