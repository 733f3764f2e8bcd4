import inter from '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2?url';
import sourceSerif from '@fontsource-variable/source-serif-4/files/source-serif-4-latin-wght-normal.woff2?url';

/**
 * The portal's own fonts. A browser loads the file of one when a text uses it. Letters beyond Latin are those of
 * the device.
 */
export function addFonts(): void {
  const options = { weight: '200 900', display: 'swap' } as const;
  document.fonts.add(new FontFace('Inter', `url(${inter})`, options));
  document.fonts.add(new FontFace('Source Serif 4', `url(${sourceSerif})`, options));
}
