import { useLayoutEffect, useRef, useState } from 'react';

import { emptyHistory, endGroup, record, redo, undo } from '../document/history.ts';

/** Changes that follow within this time are undone together if they are of one group. */
const pauseMs = 1_000;

/** A text with undo and redo. */
export interface Editing {
  text: string;
  /** Changes of the same group are undone together until there is a pause. */
  change: (text: string, group?: string) => void;
  /** Returns the restored text. Absent if there is nothing to undo. */
  undo: (() => string) | undefined;
  redo: (() => string) | undefined;
}

/** Keeps the history of a text that is stored elsewhere. */
export function useEditing(text: string, setText: (text: string) => void): Editing {
  const [history, setHistory] = useState(emptyHistory);
  // Two changes can follow before the page is drawn again.
  const latest = useRef(text);
  // Later, this text could replace that of another change.
  useLayoutEffect(() => {
    latest.current = text;
    const timer = setTimeout(() => setHistory(endGroup), pauseMs);
    return () => clearTimeout(timer);
  }, [text]);
  const show = (next: string) => {
    latest.current = next;
    setText(next);
  };
  const restore = (find: typeof undo) => () => {
    const restored = find(history, latest.current);
    if (!restored) return latest.current;
    setHistory(restored.history);
    show(restored.text);
    return restored.text;
  };
  return {
    text,
    change: (next, group) => {
      const before = latest.current;
      if (next === before) return;
      setHistory((current) => record(current, before, group));
      show(next);
    },
    undo: history.past.length > 0 ? restore(undo) : undefined,
    redo: history.future.length > 0 ? restore(redo) : undefined,
  };
}
