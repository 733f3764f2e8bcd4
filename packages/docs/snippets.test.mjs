import { describe, expect, it } from 'vitest';

import { readGuides, renderSnippets } from './snippets.mjs';

const guides = readGuides();

describe('a guide', () => {
  it.each(guides.map(({ name, text }) => [name, text]))(
    'the code blocks of %s equal their tested files',
    (_, text) => {
      expect(text).toBe(renderSnippets(text));
    },
  );

  it.each(guides.map(({ name, text }) => [name, text]))(
    'every code block of %s comes from a tested file',
    (_, text) => {
      const blocks = text.match(/^```([tj]sx?|[cm]js|css|html|vue|svelte|py|java)$/gm) ?? [];
      const snippets = text.match(/^<!-- snippet: (?!\S+\.sh#)/gm) ?? [];
      expect(blocks).toHaveLength(snippets.length);
    },
  );
});
