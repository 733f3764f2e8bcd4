import { describe, expect, it } from 'vitest';

import { readGuides, renderSnippets } from './snippets.mjs';

const guides = readGuides();

describe('a guide', () => {
  it.each(guides.map(({ name, text }) => [name, text]))(
    '%s shows code as it is in its tested file',
    (_, text) => {
      expect(text).toBe(renderSnippets(text));
    },
  );

  it.each(guides.map(({ name, text }) => [name, text]))(
    '%s holds no code that comes from nowhere',
    (_, text) => {
      const blocks = text.match(/^```(tsx?|js|html|vue|svelte)$/gm) ?? [];
      const snippets = text.match(/^<!-- snippet: /gm) ?? [];
      expect(blocks).toHaveLength(snippets.length);
    },
  );
});
