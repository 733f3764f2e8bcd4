// #region component
import { PortalEmbed } from '@portal-embed/react';

export function Sales() {
  return <PortalEmbed reportId="0b2c1f0e-6a51-4a43-9d2c-8f0f4d1c2b3a" title="Sales" />;
}
// #endregion
