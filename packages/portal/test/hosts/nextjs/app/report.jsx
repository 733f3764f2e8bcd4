'use client';

import { PortalEmbed } from '@portal-embed/react';
import { useRef } from 'react';

export function Report({ reportId }) {
  const embed = useRef(null);
  return (
    <>
      <button onClick={() => embed.current.refresh()}>Refresh</button>
      <PortalEmbed
        ref={embed}
        reportId={reportId}
        title="Sales"
        onError={({ cause, message }) => {
          window.failure = { cause, message };
        }}
      />
    </>
  );
}
