import { useEffect, useState } from 'react';

/**
 * Returns the focus to where it was when the component closes. Mantine does so only for a dialog that
 * stays mounted.
 */
export function useReturnFocus(): void {
  // A field with `autoFocus` takes the focus before effects run.
  const [opener] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      if (opener instanceof HTMLElement) opener.focus();
    },
    [opener],
  );
}
