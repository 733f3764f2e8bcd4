import { act, renderHook } from '@testing-library/react';
import { useLayoutEffect, useState } from 'react';
import { expect, it } from 'vitest';

import { useEditing } from './use-editing.ts';

it('a change back to the text before, right after each drawing, is kept', () => {
  const typed = ['ab', 'a'];
  const { result } = renderHook(() => {
    const [text, setText] = useState('');
    const editing = useEditing(text, setText);
    // Passive effects run later.
    useLayoutEffect(() => {
      const next = text === '' ? undefined : typed.shift();
      if (next !== undefined) editing.change(next);
    }, [text, editing]);
    return editing;
  });
  act(() => result.current.change('a'));
  expect(typed).toEqual([]);
  expect(result.current.text).toBe('a');
});
