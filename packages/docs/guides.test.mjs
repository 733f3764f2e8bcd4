import fs from 'node:fs';

import { describe, expect, it } from 'vitest';

const folder = new URL('guides/', import.meta.url);
const guides = fs.readdirSync(folder).map((name) => {
  const text = fs.readFileSync(new URL(name, folder), 'utf8');
  return { name, text };
});
const index = fs.readFileSync(new URL('README.md', import.meta.url), 'utf8');

describe.each(guides)('$name', ({ name, text }) => {
  it('has at most 250 lines', () => {
    expect(text.split('\n').length - 1).toBeLessThanOrEqual(250);
  });

  it('says first how long it takes', () => {
    const [title, opening] = text.split('\n\n');
    expect(title).toMatch(/^# /);
    expect(opening).toMatch(/\b(minutes?|hour|afternoon)\b/);
  });

  it('is in the index of the documentation', () => {
    expect(index).toContain(`(guides/${name})`);
  });
});
