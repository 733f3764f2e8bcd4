import type { MouseEvent } from 'react';

/** Moves the keyboard focus to the marks, because the pressed button disappears. */
export const moveToMarks = ({ detail, currentTarget }: MouseEvent): void => {
  if (detail > 0) return;
  currentTarget
    .closest('section')!
    .querySelector<HTMLElement>('.mark-keys input, .mark[tabindex="0"]')
    ?.focus();
};
