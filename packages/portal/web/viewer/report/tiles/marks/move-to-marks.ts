import type { MouseEvent } from 'react';

/** The pressed button disappears, so the focus of the keyboard moves to the marks. */
export const moveToMarks = ({ detail, currentTarget }: MouseEvent): void => {
  if (detail > 0) return;
  currentTarget
    .closest('section')!
    .querySelector<HTMLElement>('.mark-keys input, .mark[tabindex="0"]')
    ?.focus();
};
