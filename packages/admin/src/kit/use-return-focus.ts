import { useEffect } from 'react';

/**
 * Returns the focus to where it was when the component closes. Mantine does so only for a dialog that
 * stays mounted.
 */
export function useReturnFocus(): void {
  useEffect(() => {
    const opener = document.activeElement;
    return () => {
      if (opener instanceof HTMLElement) opener.focus();
    };
  }, []);
}
