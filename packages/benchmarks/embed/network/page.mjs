/** The host application's page. Its address says what it shows, and how. */
import { PortalEmbed } from '@portal-embed/react';
import { createElement, useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';

const { subject, url, ...props } = Object.fromEntries(new URLSearchParams(location.search));
const style = { width: '100%', height: 700, border: 0 };
const sandbox = 'allow-scripts allow-same-origin allow-forms allow-popups allow-downloads';

function FetchingFrame({ reportId }) {
  const [src, setSrc] = useState();
  useEffect(() => {
    const load = async () => {
      const response = await fetch('/portal-embed/url', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ reportId }),
      });
      const { embedUrl } = await response.json();
      setSrc(embedUrl);
    };
    void load();
  }, [reportId]);
  return src && createElement('iframe', { src, sandbox, style });
}

const subjects = {
  ready: () => createElement('iframe', { src: url, sandbox, style }),
  fetching: () => createElement(FetchingFrame, { reportId: props.reportId }),
  embed: (changes) => createElement(PortalEmbed, { ...props, ...changes, style }),
};
const root = createRoot(document.querySelector('#root'));

/** Shows the report with changed props. */
window.change = (changes) => root.render(subjects[subject](changes));
window.change({});
