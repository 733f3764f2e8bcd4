/* oxlint-disable react/exhaustive-effect-dependencies, react-hooks/exhaustive-deps, react/refs -- written as the library's documentation has it */
import { embedDashboard } from '@superset-ui/embedded-sdk';
import { createElement, StrictMode, useEffect, useRef } from 'react';
import { createRoot } from 'react-dom/client';

// As its documentation recommends: embed in an effect, unmount in its cleanup.
function Superset({ portal, fetchToken }) {
  const place = useRef(null);
  useEffect(() => {
    let left = false;
    const embedded = embedDashboard({
      id: 'dashboard',
      supersetDomain: portal,
      mountPoint: place.current,
      fetchGuestToken: fetchToken,
    });
    embedded.then(
      (dashboard) => left && dashboard.unmount(),
      () => {},
    );
    return () => {
      left = true;
      embedded.then(
        (dashboard) => dashboard.unmount(),
        () => {},
      );
    };
  }, []);
  return createElement('div', { ref: place });
}

export function mount(container, props) {
  const root = createRoot(container);
  root.render(createElement(StrictMode, null, createElement(Superset, props)));
  return () => root.unmount();
}
