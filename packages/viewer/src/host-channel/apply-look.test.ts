import { beforeEach, expect, it, vi } from 'vitest';

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

it('a theme with a look sets its variables, and another one replaces them', async () => {
  const read = (name: string) => style.getPropertyValue(name);
  applyLook({
    theme: {
      mode: 'dark',
      font: 'inter',
      radius: 'none',
      density: 'compact',
      palette: ['#1a7f37', 'red;', '#0969da'],
    },
  });
  expect(dataset['theme']).toBe('dark');
  await vi.waitFor(() => expect(read('--radius')).not.toBe(''));
  expect([read('--radius'), read('--space'), read('--font')]).toEqual([
    '0px',
    '10px',
    'Inter,system-ui,sans-serif',
  ]);
  expect(read('--series-1')).toContain('#1a7f37');
  expect(read('--series-2')).toBe('');
  expect(read('--series-3')).toContain('#0969da');
  applyLook({ theme: { radius: 'huge', font: 'constructor' } });
  expect(dataset['theme']).toBe('auto');
  await vi.waitFor(() => expect(read('--radius')).toBe(''));
  expect([read('--font'), read('--series-1')]).toEqual(['', '']);
});
