import { PortalEmbed } from '@portal-embed/react';

// A server component: `PortalEmbed` brings its own 'use client'.
export default function Page() {
  return (
    <main>
      <h1>Reports</h1>
      <PortalEmbed title="Reports" hideNavbar style={{ height: '40rem' }} />
    </main>
  );
}
