import fs from 'node:fs';
import { createRequire } from 'node:module';

import type { launchHeadless } from 'test-support';

export type Page = Awaited<ReturnType<Awaited<ReturnType<typeof launchHeadless>>['newPage']>>;

const axe = fs.readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Finding {
  id: string;
  nodes: { html: string; failureSummary: string }[];
}

/** Waits for all animations except endless ones, such as those of skeletons. */
const settle = `Promise.all(document.getAnimations()
  .filter(({ effect }) => Number.isFinite(effect.getComputedTiming().endTime))
  .map(({ finished }) => finished.catch(() => {})))`;

/** The rules of WCAG 2.2 AA, without axe's advice on good practice. */
export const wcagRules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/**
 * What axe finds on a page, with the element. Animations have ended.
 *
 * @param rules tags of the rules to check; default: all rules
 */
export async function findViolations(page: Page, rules?: readonly string[]): Promise<string[]> {
  // The page's policy allows no script tags.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe);
  await page.evaluate(settle);
  const options = { resultTypes: ['violations'], ...(rules && { runOnly: rules }) };
  const { violations } = await page.evaluate<{ violations: Finding[] }>(
    `axe.run(document, ${JSON.stringify(options)})`,
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  );
}
