import { unsealData } from 'iron-session';
import { cookies } from 'next/headers';

/** Replace with your application's session. This one is a cookie sealed with a secret. */
export async function readSession(): Promise<{ email?: string }> {
  const cookie = (await cookies()).get('session')?.value ?? '';
  // A cookie sealed with another password, or older than two weeks, gives an empty session.
  return unsealData<{ email?: string }>(cookie, { password: process.env['SESSION_SECRET']! });
}
