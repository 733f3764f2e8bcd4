import type { Answer } from './send.ts';
import type { Sender } from './sender.ts';

/** Opens an address as the iframe of a page does, without following a redirect. */
export const openPage = (
  sender: Sender,
  address: URL,
  cookies: ReadonlyMap<string, string> = new Map(),
): Promise<Answer> =>
  sender.send({
    method: 'GET',
    url: address.href,
    headers: {
      Accept: 'text/html,application/xhtml+xml,*/*;q=0.8',
      'Accept-Language': 'en',
      'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64) portal-embed-conformance',
      'Sec-Fetch-Dest': 'iframe',
      'Sec-Fetch-Mode': 'navigate',
      'Sec-Fetch-Site': 'cross-site',
      'Upgrade-Insecure-Requests': '1',
      ...(cookies.size > 0 && {
        Cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      }),
    },
  });
