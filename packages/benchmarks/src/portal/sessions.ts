import { send } from 'test-support';

import { writeMintRequest } from './load.ts';
import { address } from './readers-seed.ts';
import type { ServerProcess } from './service.ts';

const { host } = new URL(address);

export interface Session {
  bearer: string;
}

/** Mints a URL for the whole portal and opens it, which computes no report. */
export async function openSession(
  portal: ServerProcess,
  apiKey: string,
  userEmail: string,
  at = address,
): Promise<Session> {
  const minted = await send(`${portal.origin}/api/identity/url`, {
    method: 'POST',
    headers: { 'x-api-key': apiKey },
    json: { userEmail, baseUrl: at },
  });
  const { pathname, search } = new URL(minted.json().embedUrl as string);
  const page = await send(portal.origin, {
    path: pathname + search,
    headers: { host: new URL(at).host, 'sec-fetch-mode': 'navigate' },
  });
  const session = /id="viewer-session">(.*?)<\/script>/s.exec(page.body)?.[1];
  if (session === undefined) throw new Error(`The page has no session: ${page.status}.`);
  return JSON.parse(session) as Session;
}

/** A request for a URL of the whole portal, for `drive`. */
export const createMintRequest = (apiKey: string, userEmail: string): string =>
  writeMintRequest(host, apiKey, { userEmail, baseUrl: address });
