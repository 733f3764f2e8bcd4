import { createPortalClient, PortalApiError } from '@portal-embed/client';

const problem = (status: number, code: string) =>
  Response.json(
    { type: `urn:portal-embed:problem:${code}`, status, code },
    {
      status,
      headers: { 'content-type': 'application/problem+json', 'cache-control': 'no-store' },
    },
  );

// Stands for your application's session.
const findUser = (request: Request) => {
  const email = /(?:^|; )user=([^;]+)/.exec(request.headers.get('cookie') ?? '')?.[1];
  return email ? { email: decodeURIComponent(email) } : null;
};

/** What `@portal-embed/express` does in an Express application, at its least. */
export async function POST(request: Request): Promise<Response> {
  if (request.headers.get('sec-fetch-site') !== 'same-origin') return problem(403, 'cross_site');
  const user = findUser(request);
  if (!user) return problem(401, 'not_signed_in');

  const { hideNavbar } = (await request.json()) as { hideNavbar?: boolean };
  const portal = createPortalClient({
    apiUrl: process.env['PORTAL_API_URL']!,
    apiKey: process.env['PORTAL_API_KEY']!,
  });
  try {
    const minted = await portal.identity.mintUrl({
      userEmail: user.email,
      baseUrl: process.env['PORTAL_URL']!,
      hideNavbar: hideNavbar === true,
    });
    return Response.json(minted, { headers: { 'cache-control': 'no-store' } });
  } catch (error) {
    if (!(error instanceof PortalApiError)) throw error;
    return problem(502, 'portal_unavailable');
  }
}
