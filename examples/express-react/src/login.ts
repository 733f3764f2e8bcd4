import { promisify } from 'node:util';

import { isCrossSite, type PortalEmbedHandler } from '@portal-embed/express';
import { people, type TenantSlug } from 'demo-data';
import type { Request, RequestHandler } from 'express';

import type { HostConfig, HostTenant } from './config.ts';

declare module 'express-session' {
  interface SessionData {
    user: SignedInUser;
  }
}

export interface SignedInUser {
  email: string;
  name: string;
  /** Where they signed in: a session is worth nothing at another tenant's host name. */
  tenant: TenantSlug;
}

export const findTenant = (config: HostConfig, req: Request): HostTenant | undefined =>
  Object.hasOwn(config.tenants, req.hostname) ? config.tenants[req.hostname] : undefined;

/** The user of the current session, as `portalEmbed` asks for them. */
export const signedInUser =
  (config: HostConfig) =>
  (req: Request): SignedInUser | null => {
    const { user } = req.session;
    return user && user.tenant === findTenant(config, req)?.slug ? user : null;
  };

/** Keeps another site's page from signing its visitors in or out here. */
export const refuseCrossSite: RequestHandler = (req, res, next) => {
  if (!isCrossSite(req)) next();
  else res.status(403).type('text').send('Sign in on this site itself.\n');
};

/**
 * Signs in one of the tenant's demo people without a password, and refuses anyone else. For the
 * demo only: your application has its own way to know who somebody is.
 */
export const login =
  (config: HostConfig): RequestHandler =>
  (req, res, next) => {
    const tenant = findTenant(config, req);
    const { email } = (req.body ?? {}) as { email?: unknown };
    const user = tenant && people[tenant.slug].find((person) => person.email === email);
    if (!user) {
      res
        .status(403)
        .type('text')
        .send('This demo signs in only the people of its sign-in page.\n');
      return;
    }
    // A new session id for a new user, so that one planted before is worth nothing.
    req.session.regenerate((error: unknown) => {
      if (error) {
        next(error);
        return;
      }
      req.session.user = { ...user, tenant: tenant.slug };
      res.redirect(303, '/');
    });
  };

/** Signs out here and then in the portal, so that no other tab keeps showing the user's reports. */
export const logout =
  (config: HostConfig, embed: PortalEmbedHandler): RequestHandler =>
  async (req, res) => {
    const user = signedInUser(config)(req);
    await promisify(req.session.destroy.bind(req.session))();
    // It never rejects: without the portal, the user is signed out here all the same.
    if (user) await embed.endSessions(user, req);
    res.redirect(303, '/login');
  };
