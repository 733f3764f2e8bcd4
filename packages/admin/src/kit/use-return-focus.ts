import { useEffect, useState } from 'react';

/**
 * Returns the focus to where it was when the component closes. Mantine does so only for a dialog that
 * stays mounted.
 */
export function useReturnFocus(): void {
  // Before the first field of the component takes the focus.
  const [opener] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      if (opener instanceof HTMLElement) opener.focus();
    },
    [opener],
  );
}
