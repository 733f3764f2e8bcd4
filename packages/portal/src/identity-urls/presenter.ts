import type { IdentityUrl } from '@portal-embed/contract';

import { reportPath } from '../reports/presenter.ts';
import type { MintedUrl } from './service.ts';
import type { ListedSessionRow } from './store.ts';

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

/** A session as operators see it, without its bearer. */
export const presentSession = (row: ListedSessionRow) => ({
  userEmail: row.email,
  reportId: row.report_id,
  reportName: row.report_name,
  address: row.address,
  apiKeyName: row.api_key_name,
  openedAt: row.created_at.toISOString(),
  lastUsedAt: row.touched_at.toISOString(),
});
