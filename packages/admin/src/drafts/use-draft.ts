import { useEffect, useState } from 'react';

import type { Definition } from '../requests/definitions.ts';

/** A text, and the saved version that it is based on. */
interface Draft {
  base: Definition;
  text: string;
}

/** Unsaved texts by account and item. They last until the document is unloaded. */
const drafts = new Map<string, Draft>();

window.addEventListener('beforeunload', (event) => {
  if (drafts.size > 0) event.preventDefault();
});

/** Like `useState`, but keeps an unsaved text while other tabs and pages are open. */
export function useDraft(key: string, loaded: Definition) {
  const [draft, setDraft] = useState(() => drafts.get(key) ?? { base: loaded, text: loaded.text });
  useEffect(() => {
    if (draft.text === draft.base.text) drafts.delete(key);
    else drafts.set(key, draft);
  }, [key, draft]);
  return [draft, setDraft] as const;
}
