import { fileURLToPath } from 'node:url';

/** Measures the pages of a context. */
export const watch = (context) =>
  context.addInitScript({ path: fileURLToPath(new URL('watched-page.js', import.meta.url)) });

/** Waits until a visible frame shows the text. Returns when that was, and the requests of the frame. */
export async function waitForText(page, text) {
  const found = await page.waitForFunction((wanted) => window.watched?.find(wanted), text, {
    polling: 'raf',
    timeout: 30_000,
  });
  return found.jsonValue();
}
