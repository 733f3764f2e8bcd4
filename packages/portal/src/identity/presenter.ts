import type { IdentityUrl } from '@portal-embed/contract';

import { reportPath } from '../reports/presenter.ts';
import type { MintedUrl } from './service.ts';

/** `returnUrl` is for whoever reads the address; redeeming goes by what was stored at minting. */
export function presentIdentityUrl(minted: MintedUrl): IdentityUrl {
  const url = new URL('/identity', minted.address);
  url.searchParams.set('token', minted.token);
  if (minted.reportId)
    url.searchParams.set('returnUrl', reportPath(minted.organizationId, minted.reportId));
  return { embedUrl: url.href, expiresAt: minted.expiresAt.toISOString() };
}
