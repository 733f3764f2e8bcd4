import { useSyncExternalStore } from 'react';

const prefersDark = () => matchMedia('(prefers-color-scheme: dark)');

/** The theme that the page shows: the host's, or that of the reader's system. */
function readTheme(): 'light' | 'dark' {
  const { theme } = document.documentElement.dataset;
  if (theme === 'light' || theme === 'dark') return theme;
  return prefersDark().matches ? 'dark' : 'light';
}

function subscribe(onChange: () => void) {
  const lifetime = new AbortController();
  prefersDark().addEventListener('change', onChange, lifetime);
  const observer = new MutationObserver(onChange);
  observer.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  return () => {
    lifetime.abort();
    observer.disconnect();
  };
}

export const useTheme = (): 'light' | 'dark' => useSyncExternalStore(subscribe, readTheme);
