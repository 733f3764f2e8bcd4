import { parseCookie, stringifySetCookie } from 'cookie';
import type { Request, Response } from 'express';

/** `session`: of the administration pages. `oidc`: of a sign-in that the provider has not finished. */
const names = { session: 'portal-admin', oidc: 'portal-admin-oidc' };

/** Browsers accept `__Host-` only over https. */
const nameOf = (kind: keyof typeof names, adminUrl: string): string =>
  adminUrl.startsWith('https:') ? `__Host-${names[kind]}` : names[kind];

export const readTokenCookie = (
  kind: keyof typeof names,
  req: Request,
  adminUrl: string,
): string | undefined => parseCookie(req.get('Cookie') ?? '')[nameOf(kind, adminUrl)];

/** Sets a cookie until the browser closes, or deletes it without a token. */
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
