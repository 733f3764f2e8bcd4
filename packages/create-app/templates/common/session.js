/** A placeholder for your sign-in: it has two users and asks for no password. */
import { createHmac, timingSafeEqual } from 'node:crypto';

const users = {
  'west@acme.example': { email: 'west@acme.example', region: 'West' },
  'east@acme.example': { email: 'east@acme.example', region: 'East' },
};

const sign = (text) =>
  createHmac('sha256', process.env.SESSION_SECRET ?? '')
    .update(text)
    .digest('base64url');

const attributes = 'Path=/; HttpOnly; SameSite=Lax';

/** The `Set-Cookie` header that removes a session from the browser. */
export const expiredSession = `session=; ${attributes}; Max-Age=0`;

/**
 * Returns the `Set-Cookie` header of a new session, or null if the user may not sign in. `hostName`
 * makes the session valid at one tenant only.
 */
export function createSession(email, hostName) {
  if (process.env.NODE_ENV === 'production' || !process.env.SESSION_SECRET) return null;
  if (!Object.hasOwn(users, email)) return null;
  const value = Buffer.from(JSON.stringify({ email, hostName })).toString('base64url');
  return `session=${value}.${sign(value)}; ${attributes}`;
}

/** Returns the user of a `Cookie` header, or null if nobody is signed in. The host endpoint checks `hostName`. */
export function findUser(cookies) {
  const [, value, signature] = /(?:^|; )session=([\w-]+)\.([\w-]+)/.exec(cookies ?? '') ?? [];
  if (process.env.NODE_ENV === 'production' || !process.env.SESSION_SECRET || !value) return null;
  const [given, expected] = [Buffer.from(signature), Buffer.from(sign(value))];
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null;
  const { email, hostName } = JSON.parse(Buffer.from(value, 'base64url').toString());
  return Object.hasOwn(users, email) ? { ...users[email], hostName } : null;
}
