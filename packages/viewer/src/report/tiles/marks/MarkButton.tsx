import type { KeyboardEvent, MouseEvent, ReactNode } from 'react';

import type { MarkState } from './use-selection.ts';

interface MarkButtonProps {
  mark: MarkState;
  /** Whether the Tab key reaches it. From there, the arrow keys reach the other marks of its table. */
  isTabStop: boolean;
  onClick?: (event: MouseEvent) => void;
  onKeyDown: ((event: KeyboardEvent<HTMLButtonElement>) => void) | undefined;
  children: ReactNode;
}

/** The text of a cell that selects a mark. */
export const MarkButton = ({ mark, isTabStop, onClick, onKeyDown, children }: MarkButtonProps) => (
  <button
    type="button"
    className="mark"
    aria-pressed={mark.isPressed}
    tabIndex={isTabStop ? 0 : -1}
    onClick={onClick}
    onKeyDown={onKeyDown}
  >
    {children}
  </button>
);
