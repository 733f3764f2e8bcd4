import type { IdentityUrl } from '@portal-embed/contract';

import { reportPath } from '../catalogue/presenter.ts';
import type { MintedUrl } from './service.ts';

/** `returnUrl` is informational: redeeming uses what was stored at the mint. */
export function presentIdentityUrl(minted: MintedUrl): IdentityUrl {
  const { address, token, organizationId, reportId, expiresAt } = minted;
  const returnUrl = reportId
    ? `&returnUrl=${encodeURIComponent(reportPath(organizationId, reportId))}`
    : '';
  return {
    embedUrl: `${address}/identity?token=${token}${returnUrl}`,
    expiresAt: expiresAt.toISOString(),
    frameChannel: true,
  };
}
