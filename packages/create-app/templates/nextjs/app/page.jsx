import { PortalEmbed } from '@portal-embed/react';

import { SignIn } from './sign-in.jsx';

export default function Page() {
  return (
    <main>
      <h1>Reports</h1>
      <SignIn />
      <PortalEmbed title="Reports" style={{ height: '40rem' }} />
    </main>
  );
}
