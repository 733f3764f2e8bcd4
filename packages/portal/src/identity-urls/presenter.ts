import type { IdentityUrl } from '@portal-embed/contract';

import { reportPath } from '../reports/presenter.ts';
import type { MintedUrl } from './service.ts';

/** `returnUrl` is for whoever reads the address; redeeming goes by what was stored at minting. */
export function presentIdentityUrl(minted: MintedUrl): IdentityUrl {
  const { address, token, organizationId, reportId, expiresAt } = minted;
  const returnUrl = reportId
    ? `&returnUrl=${encodeURIComponent(reportPath(organizationId, reportId))}`
    : '';
  return {
    embedUrl: `${address}/identity?token=${token}${returnUrl}`,
    expiresAt: expiresAt.toISOString(),
  };
}
