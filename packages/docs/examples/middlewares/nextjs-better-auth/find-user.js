import { auth } from './auth.js';

export async function findUser(headers) {
  const session = await auth.api.getSession({ headers });
  // All customers share one secret, so the cookie of one is valid at the host name of another.
  return session && { email: session.user.email, hostName: `${session.user.customer}.localhost` };
}
