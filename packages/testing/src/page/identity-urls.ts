import type { SessionRequiredReason } from '@portal-embed/contract/frame';

/** A minted URL, with the request that it was minted for. */
export type MintedUrl<Request = object> = Request & {
  embedUrl: string;
  /** ISO 8601, UTC. */
  expiresAt: string;
  /** Whether the URL was opened. A second opening is refused. */
  isOpened: boolean;
};

const readToken = (url: string) => new URL(url).searchParams.get('token');

/** The identity URLs of a fake. Each opens once, until it expires. */
export class IdentityUrls<Request extends object> {
  /** All URLs, in the order of their requests. */
  readonly minted: MintedUrl<Request>[] = [];
  #count = 0;

  mint(
    request: Request,
    { portalUrl, path, validSeconds }: { portalUrl: string; path?: string; validSeconds: number },
  ): MintedUrl<Request> {
    const query = new URLSearchParams({ token: `fake-${++this.#count}` });
    if (path) query.set('returnUrl', path);
    const url = {
      ...request,
      embedUrl: `${portalUrl.replace(/\/$/, '')}/identity?${query.toString()}`,
      expiresAt: new Date(Date.now() + validSeconds * 1_000).toISOString(),
      isOpened: false,
    };
    this.minted.push(url);
    return url;
  }

  /** Opens a URL, or returns why it is refused. */
  redeem(url: string): MintedUrl<Request> | SessionRequiredReason {
    const token = readToken(url);
    const found = this.minted.find(({ embedUrl }) => readToken(embedUrl) === token);
    if (!found) return 'unknown';
    if (found.isOpened) return 'used';
    if (Date.parse(found.expiresAt) <= Date.now()) return 'expired';
    found.isOpened = true;
    return found;
  }
}
