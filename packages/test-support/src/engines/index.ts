import type { Engine } from './engine.ts';
import { startFirefox } from './firefox.ts';
import { startChromium } from './start-chromium.ts';
import { startWebKit } from './webkit.ts';

export type { Engine, EnginePage, Point } from './engine.ts';
export { startFirefox } from './firefox.ts';

const starts: Record<string, () => Promise<Engine>> = {
  chromium: startChromium,
  firefox: startFirefox,
  webkit: startWebKit,
};

/** Starts the browser that the test project names. */
export function startEngine(): Promise<Engine> {
  const name = process.env['PORTAL_TEST_ENGINE'] ?? '';
  const start = starts[name];
  if (!start)
    throw new Error(
      `Unknown engine ${JSON.stringify(name)}. Set PORTAL_TEST_ENGINE to chromium, firefox or webkit.`,
    );
  return start();
}
