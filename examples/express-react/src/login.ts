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
  /** Where they signed in: a session is not valid at another tenant's host name. */
  tenant: TenantSlug;
}

export const findTenant = (config: HostConfig, req: Request): HostTenant | undefined =>
  Object.hasOwn(config.tenants, req.hostname) ? config.tenants[req.hostname] : undefined;

/** Reads the user of the current session, for the option `user` of `portalEmbed`. */
export const readSignedInUser =
  (config: HostConfig) =>
  (req: Request): SignedInUser | null => {
    const { user } = req.session;
    return user && user.tenant === findTenant(config, req)?.slug ? user : null;
  };

/** Keeps another site's page from signing its visitors in or out here. */
export const refuseCrossSite: RequestHandler = (req, res, next) => {
  if (!isCrossSite(req)) next();
  else
    res
      .status(403)
      .type('text')
      .send('The request came from another site. Open this site and try again.\n');
};

/**
 * Signs in one of the tenant's demo people without a password, and refuses anyone else. For the
 * demo only: your application authenticates users itself.
 */
export const signIn =
  (config: HostConfig): RequestHandler =>
  (req, res, next) => {
    const tenant = findTenant(config, req);
    const { email } = (req.body ?? {}) as { email?: unknown };
    const user = tenant && people[tenant.slug].find((person) => person.email === email);
    if (!user) {
      res
        .status(403)
        .type('text')
        .send('This demo signs in only the people of its sign-in page. Choose one of them.\n');
      return;
    }
    // A new session id prevents session fixation.
    req.session.regenerate((error: unknown) => {
      if (error) {
        next(error);
        return;
      }
      req.session.user = { ...user, tenant: tenant.slug };
      res.redirect(303, '/');
    });
  };

/**
 * Signs out here, then ends the user's portal sessions, so that other tabs lose the report at their next
 * request.
 */
export const signOut =
  (config: HostConfig, embed: PortalEmbedHandler): RequestHandler =>
  async (req, res) => {
    const user = readSignedInUser(config)(req);
    await promisify(req.session.destroy.bind(req.session))();
    // `endSessions` never rejects: if the portal is unavailable, the user is still signed out here.
    if (user) await embed.endSessions(user, req);
    res.redirect(303, '/login');
  };
