'use server';

import { getIronSession } from 'iron-session';
import { cookies, headers } from 'next/headers';
import { redirect } from 'next/navigation';

import { getMint, sessionOptions } from '../lib/policy.ts';
import type { Session } from '../lib/policy.ts';

export async function signOut() {
  const session = await getIronSession<Session>(await cookies(), sessionOptions);
  const { user } = session;
  session.destroy();
  // The headers select the tenant. `http://localhost` is a placeholder.
  const request = new Request('http://localhost', { headers: await headers() });
  if (user) await getMint().endSessions(user, request);
  // Another page, because a render of the same one keeps the report.
  redirect('/signed-out');
}
