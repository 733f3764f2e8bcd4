/** Texts that undo and redo restore, the latest last. */
export interface History {
  past: readonly string[];
  future: readonly string[];
  /** The group of the latest change. Changes of one group are undone together. */
  group: string | undefined;
}

export const emptyHistory: History = { past: [], future: [], group: undefined };

/** Texts are kept up to this number. */
const maxTexts = 1_000;

/** Records the text before a change. */
export const record = (history: History, before: string, group?: string): History =>
  group !== undefined && group === history.group && history.past.length > 0
    ? { ...history, future: [] }
    : { past: [...history.past, before].slice(-maxTexts), future: [], group };

/** Ends the group of the latest change, so that the next one is undone alone. */
export const endGroup = (history: History): History =>
  history.group === undefined ? history : { ...history, group: undefined };

/** The text before the latest change, if there is one. */
export function undo({ past, future }: History, present: string) {
  const text = past.at(-1);
  if (text === undefined) return undefined;
  const history = { past: past.slice(0, -1), future: [...future, present], group: undefined };
  return { history, text };
}

/** The text before the latest undo, if nothing has changed since. */
export function redo({ past, future }: History, present: string) {
  const text = future.at(-1);
  if (text === undefined) return undefined;
  const history = { past: [...past, present], future: future.slice(0, -1), group: undefined };
  return { history, text };
}
