import { unsealData } from 'iron-session';
import { cookies } from 'next/headers';

/** Stands for your application's session: a cookie that only the holder of the secret can write. */
export async function readSession(): Promise<{ email?: string }> {
  const cookie = (await cookies()).get('session')?.value ?? '';
  // What was not sealed with this password, or is two weeks old, is an empty session.
  return unsealData<{ email?: string }>(cookie, { password: process.env['SESSION_SECRET']! });
}
