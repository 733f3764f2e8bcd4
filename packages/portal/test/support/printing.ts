import type { Page } from './axe.ts';

/** Whether the page handles printing: its code for this loads after the report. */
export async function isPrintingHandled(page: Page): Promise<boolean> {
  const devtools = await page.context().newCDPSession(page);
  const { result } = await devtools.send('Runtime.evaluate', { expression: 'window' });
  const of = { objectId: result.objectId! };
  const { listeners } = await devtools.send('DOMDebugger.getEventListeners', of);
  await devtools.detach();
  return listeners.some(({ type }) => type === 'beforeprint');
}
