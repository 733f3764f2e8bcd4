import { PortalApiError } from '@portal-embed/client';

import { portal } from '../../../lib/portal.ts';
import { readSession } from '../../../lib/session.ts';

const problem = (status: number, code: string) =>
  Response.json(
    { type: `urn:portal-embed:problem:${code}`, status, code },
    {
      status,
      headers: { 'content-type': 'application/problem+json', 'cache-control': 'no-store' },
    },
  );

/** What `@portal-embed/express` does in an Express application, at its least. */
export async function POST(request: Request): Promise<Response> {
  if (request.headers.get('sec-fetch-site') !== 'same-origin') return problem(403, 'cross_site');
  const { email } = await readSession();
  if (email === undefined) return problem(401, 'not_signed_in');

  const encoding = request.headers.get('content-encoding') ?? 'identity';
  if (encoding.toLowerCase() !== 'identity') return problem(415, 'unsupported_media_type');
  const { hideNavbar } = (await request.json()) as { hideNavbar?: boolean };
  try {
    const minted = await portal().identity.mintUrl({
      userEmail: email,
      baseUrl: process.env['PORTAL_URL']!,
      hideNavbar: hideNavbar === true,
    });
    return Response.json(minted, { headers: { 'cache-control': 'no-store' } });
  } catch (error) {
    if (!(error instanceof PortalApiError)) throw error;
    return problem(502, 'portal_unavailable');
  }
}
