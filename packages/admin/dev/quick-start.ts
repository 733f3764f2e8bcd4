import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { lexer } from 'marked';

import type { CodeBlock, QuickStart } from '../src/embedding/quick-start.ts';

const guides = ['quick-start.md', 'quick-start-frameworks.md'].map((name) =>
  fileURLToPath(new URL(`../../docs/guides/${name}`, import.meta.url)),
);
const id = 'virtual:quick-start';

/** The code of the guides, whose blocks come from tested files. Pages import it as `virtual:quick-start`. */
export const quickStart = {
  name: 'quick-start',
  resolveId: { filter: { id: /^virtual:quick-start$/ }, handler: () => `\0${id}` },
  load: {
    filter: { id: /^\0virtual:quick-start$/ },
    handler(this: { addWatchFile: (file: string) => void }) {
      for (const guide of guides) this.addWatchFile(guide);
      const texts = guides.map((guide) => readFileSync(guide, 'utf8'));
      return `export default ${JSON.stringify(parseQuickStart(texts.join('\n')))};`;
    },
  },
};

/**
 * Returns the code blocks of the three steps, each with the file that its paragraph names. Servers of the
 * second guide follow those of the first.
 */
export function parseQuickStart(markdown: string): QuickStart {
  const steps: { name: string; blocks: CodeBlock[] }[][] = [];
  let file: string | null = null;
  for (const token of lexer(markdown)) {
    if (token.type === 'heading' && token['depth'] === 2)
      steps.push([{ name: String(token['text']), blocks: [] }]);
    if (token.type === 'heading' && token['depth'] === 3)
      steps.at(-1)!.push({ name: String(token['text']), blocks: [] });
    if (token.type === 'paragraph') file = /^`([^`]+)`:$/.exec(token.raw.trim())?.[1] ?? null;
    if (token.type !== 'code') continue;
    steps
      .at(-1)!
      .at(-1)!
      .blocks.push({ file, code: String(token['text']) });
    file = null;
  }
  const [portal, pages, servers, , moreServers] = steps;
  if (!portal || !pages || !servers || !moreServers)
    throw new Error(`${guides.join(' and ')} need four steps and more servers.`);
  return {
    portal: portal[0]!.blocks,
    pages: pages.slice(1),
    servers: [...servers.slice(1), ...moreServers.slice(1)],
  };
}
