import { isCrossSite } from '@portal-embed/host';

import { getMint, readOrigin } from '../../mint.js';
import { expiredSession, findUser } from '../../session.js';

export async function POST(request) {
  if (isCrossSite(request, { origin: readOrigin(request) }))
    return new Response(null, { status: 403 });
  const user = findUser(request.headers.get('cookie'));
  if (user) await getMint().endSessions(user, request);
  return new Response(null, { status: 204, headers: { 'Set-Cookie': expiredSession } });
}
