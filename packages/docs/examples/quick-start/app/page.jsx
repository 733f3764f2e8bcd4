import { PortalEmbed } from '@portal-embed/react';

export default function Page() {
  return <PortalEmbed title="Reports" />;
}
