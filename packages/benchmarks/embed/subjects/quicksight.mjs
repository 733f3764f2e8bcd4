/* oxlint-disable react/exhaustive-effect-dependencies, react-hooks/exhaustive-deps, react/refs -- written as the library's documentation has it */
import { createEmbeddingContext } from 'amazon-quicksight-embedding-sdk';
import { createElement, StrictMode, useEffect, useRef } from 'react';
import { createRoot } from 'react-dom/client';

// The pattern of its documentation; the SDK has no call that ends an embed.
function QuickSight({ fetchToken }) {
  const place = useRef(null);
  useEffect(() => {
    const open = async () => {
      const context = await createEmbeddingContext();
      const container = place.current;
      if (!container) return;
      // The SDK takes its own addresses only; the benchmark answers in their place.
      const url = `https://us-east-1.quicksight.aws.amazon.com/embed/${await fetchToken()}/dashboards/d?code=1`;
      await context.embedDashboard({ url, container });
    };
    open().catch(() => {});
  }, []);
  return createElement('div', { ref: place });
}

export function mount(container, props) {
  const root = createRoot(container);
  root.render(createElement(StrictMode, null, createElement(QuickSight, props)));
  return () => root.unmount();
}
