import { parseCookie, stringifySetCookie } from 'cookie';
import type { Request, Response } from 'express';

/** `session`: a session of the administration pages. `oidc`: an unfinished sign-in with a provider. */
const names = { session: 'portal-admin', oidc: 'portal-admin-oidc' };

/** Browsers accept `__Host-` only over https. */
const nameOf = (kind: keyof typeof names, adminUrl: string): string =>
  adminUrl.startsWith('https:') ? `__Host-${names[kind]}` : names[kind];

export const readTokenCookie = (
  kind: keyof typeof names,
  req: Request,
  adminUrl: string,
): string | undefined => parseCookie(req.get('Cookie') ?? '')[nameOf(kind, adminUrl)];

/** Sets a cookie that lasts until the browser closes. Without a token, deletes it. */
export function setTokenCookie(
  kind: keyof typeof names,
  res: Response,
  adminUrl: string,
  token: string | undefined,
): void {
  res.append(
    'Set-Cookie',
    stringifySetCookie(nameOf(kind, adminUrl), token ?? '', {
      httpOnly: true,
      secure: adminUrl.startsWith('https:'),
      sameSite: 'lax',
      path: '/',
      ...(token === undefined ? { maxAge: 0 } : {}),
    }),
  );
}
