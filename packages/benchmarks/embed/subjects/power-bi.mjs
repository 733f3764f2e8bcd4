/* oxlint-disable react/exhaustive-effect-dependencies, react-hooks/exhaustive-deps, react/refs -- written as the library's documentation has it */
import { models } from 'powerbi-client';
import { PowerBIEmbed } from 'powerbi-client-react';
import { createElement, StrictMode, useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';

// The pattern of its documentation: an embed without a token, then with the one that came.
function PowerBI({ fetchToken }) {
  const [accessToken, setAccessToken] = useState();
  useEffect(() => {
    fetchToken().then(setAccessToken, () => {});
  }, []);
  const embedConfig = {
    type: 'report',
    id: 'report',
    // The SDK takes its own addresses only; the benchmark answers in their place.
    embedUrl: 'https://app.powerbi.com/reportEmbed',
    tokenType: models.TokenType.Embed,
    accessToken,
  };
  return createElement(PowerBIEmbed, { embedConfig });
}

export function mount(container, props) {
  const root = createRoot(container);
  root.render(createElement(StrictMode, null, createElement(PowerBI, props)));
  return () => root.unmount();
}
