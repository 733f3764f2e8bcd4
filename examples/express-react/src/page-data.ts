import { people } from 'demo-data';
import type { Request } from 'express';

import type { HostConfig } from './config.ts';
import { findTenant, readSignedInUser } from './login.ts';

/** What the page starts with; it stands in the page itself, so there is nothing to fetch. */
export interface PageData {
  tenant: string;
  people: { email: string; name: string }[];
  /** Nobody: the page shows the sign-in buttons. */
  user: { email: string; name: string } | null;
  reports: { id: string; name: string }[];
}

export function pageData(config: HostConfig, req: Request): PageData | undefined {
  const tenant = findTenant(config, req);
  if (!tenant) return undefined;
  const wantsLogin = req.path === '/login';
  return {
    tenant: tenant.name,
    people: [...people[tenant.slug]],
    user: wantsLogin ? null : readSignedInUser(config)(req),
    reports: tenant.reports,
  };
}
