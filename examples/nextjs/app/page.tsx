import { PortalEmbed } from '@portal-embed/react';

import { signOut } from './sign-out.ts';

// A server component: `PortalEmbed` brings its own 'use client'.
export default function Page() {
  return (
    <main>
      <h1>Reports</h1>
      <form action={signOut}>
        <button>Sign out</button>
      </form>
      <PortalEmbed title="Reports" hideNavbar style={{ height: '40rem' }} />
    </main>
  );
}
