import type { MouseEvent } from 'react';

/** The pressed button disappears, so the focus moves to the first filter. */
export const moveToFilters = ({ currentTarget }: MouseEvent): void =>
  currentTarget.closest('ul')!.querySelector('button')!.focus();
