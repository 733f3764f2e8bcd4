import { beforeEach, expect, it } from 'vitest';

import { applyLook } from './apply-look.ts';

const { dataset, style } = document.documentElement;
const accent = () => style.getPropertyValue('--accent');

beforeEach(() => applyLook({}));

it('the host’s theme is removed when the host sets no theme', () => {
  applyLook({ theme: 'dark' });
  expect(dataset['theme']).toBe('dark');
  applyLook({});
  expect(dataset['theme']).toBe('auto');
});

it('the host’s accent color is removed when the host sets no accent color', () => {
  applyLook({ accentColor: '#1A7f37' });
  expect(accent()).toBe('#1A7f37');
  applyLook({});
  expect(accent()).toBe('');
});

it.each(['red', '#fff', '#1a7f37ff', 'url(https://evil.example)', '#1a7f37;color:red'])(
  'the accent color %s is ignored',
  (accentColor) => {
    applyLook({ accentColor });
    expect(accent()).toBe('');
  },
);

it('the document has data-auto-height while the host sets autoHeight', () => {
  applyLook({ autoHeight: true });
  expect(dataset).toHaveProperty('autoHeight');
  applyLook({});
  expect(dataset).not.toHaveProperty('autoHeight');
});
