import { people } from 'demo-data';
import type { Request, RequestHandler } from 'express';

import type { HostConfig, HostTenant } from './config.ts';

declare module 'express-session' {
  interface SessionData {
    user: { email: string; name: string };
  }
}

export const findTenant = (config: HostConfig, req: Request): HostTenant | undefined =>
  Object.hasOwn(config.tenants, req.hostname) ? config.tenants[req.hostname] : undefined;

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
      req.session.user = { ...user };
      res.redirect(303, '/');
    });
  };

export const logout: RequestHandler = (req, res, next) => {
  req.session.destroy((error: unknown) => {
    if (error) next(error);
    else res.redirect(303, '/login');
  });
};
