/* oxlint-disable react/exhaustive-effect-dependencies, react-hooks/exhaustive-deps, react/refs -- written as the library's documentation has it */
import { models } from 'powerbi-client';
import { PowerBIEmbed } from 'powerbi-client-react';
import { createElement, StrictMode, useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';

// As its documentation recommends: an embed without a token, then with the fetched one.
function PowerBI({ fetchToken }) {
  const [accessToken, setAccessToken] = useState();
  useEffect(() => {
    fetchToken().then(setAccessToken, () => {});
  }, []);
  const embedConfig = {
    type: 'report',
    id: 'report',
    // The SDK accepts only its vendor's addresses; the benchmark answers for them.
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
