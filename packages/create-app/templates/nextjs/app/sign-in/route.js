import { createSession } from '../../session.js';

export async function POST(request) {
  const { email } = await request.json();
  const cookie = createSession(email);
  return cookie
    ? new Response(null, { status: 204, headers: { 'Set-Cookie': cookie } })
    : new Response(null, { status: 401 });
}
