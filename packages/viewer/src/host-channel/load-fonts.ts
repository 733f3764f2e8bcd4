/** Loads the portal's fonts if the look of the page has one of them. */
export function loadFonts(): void {
  const font = getComputedStyle(document.documentElement).getPropertyValue('--font');
  if (/^ ?(?:Inter|'Source)/.test(font))
    void import('page-kit/fonts').then((module) => module.addFonts()).catch(() => {});
}
