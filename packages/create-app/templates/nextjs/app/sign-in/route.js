import { isCrossSite } from '@portal-embed/host';

import { readOrigin } from '../../mint.js';
import { createSession } from '../../session.js';

export async function POST(request) {
  const origin = readOrigin(request);
  if (isCrossSite(request, { origin })) return new Response(null, { status: 403 });
  const body = await request.json().catch(() => null);
  if (typeof body?.email !== 'string') return new Response(null, { status: 400 });
  const cookie = createSession(body.email, new URL(origin).hostname);
  return cookie
    ? new Response(null, { status: 204, headers: { 'Set-Cookie': cookie } })
    : new Response(null, { status: 401 });
}
