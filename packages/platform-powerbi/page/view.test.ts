import { expect, it } from 'vitest';

import { readView, writeView } from './view.ts';

const view = { page: 'second', bookmark: 'state' };

it('a view is read as it was written', () => {
  expect(readView(writeView(view, 'oslo'), 'oslo')).toEqual(view);
  expect(readView(writeView({ page: 'second' }, 'oslo'), 'rome')).toEqual({ page: 'second' });
});

it('a bookmark with other filters of the host is not used', () => {
  expect(readView(writeView(view, 'oslo'), 'rome')).toEqual({ page: 'second' });
});

it('a bookmark that is too long is left out', () => {
  const text = writeView({ page: 'second', bookmark: 'x'.repeat(4_000) }, 'oslo');
  expect(readView(text, 'oslo')).toEqual({ page: 'second' });
});

it.each([undefined, '', 'no JSON', 'null', '1', '{"page":1,"bookmark":{},"filters":"oslo"}'])(
  'a link with %j opens the report as it opens',
  (text) => expect(readView(text, 'oslo')).toEqual({}),
);
