import { PortalEmbed } from '@portal-embed/react';

export const dynamic = 'force-dynamic';

// #region slots
export default function Page() {
  return (
    <PortalEmbed
      title="Reports"
      endpoint="/app/portal-embed/url"
      signedOut={<a href="/app/sign-in/">Sign in</a>}
      refused={<p>Ask your manager for access to this report.</p>}
      error={<p>The report is not available.</p>}
    />
  );
}
// #endregion
