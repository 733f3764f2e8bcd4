import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';

import { Provider, type Configuration, type JWK } from 'oidc-provider';
import { findFreePort, send } from 'test-support';

interface Person {
  sub: string;
  email: string;
  email_verified: boolean | undefined;
  /** Claim of Entra ID: whether the tenant owns the domain of the e-mail. */
  xms_edov?: unknown;
}

/** An OpenID provider on a loopback port, at which anybody can sign in with one click. */
export interface IdentityProvider {
  issuer: string;
  /** The person who signs in next: the claims by subject. Claims that are `undefined` are not sent. */
  person: Person;
  /** Where requests for tokens had the client secret. */
  secretsSent: ('header' | 'body')[];
  /** Replaces the keys that sign tokens. */
  rotateKeys: () => void;
  /**
   * Does what a browser does at the provider: follows `url`, signs in and returns the parameters with
   * which the provider sends the browser back.
   */
  visit: (url: string) => Promise<Record<string, string>>;
  close: () => void;
}

/** @param redirectUri where the provider sends browsers back to */
export async function startIdentityProvider(options: {
  redirectUri: string;
  clientId: string;
  /** Default: the client is public. */
  secret?: string;
  /** How the client must send the secret. Default: in the header or in the body. */
  authMethod?: 'client_secret_basic' | 'client_secret_post';
  /** Imitates Entra ID: the issuer contains this tenant, and the ID token contains the claims. */
  tenant?: string;
}): Promise<IdentityProvider> {
  const port = await findFreePort();
  const path = options.tenant === undefined ? '' : `/${options.tenant}/v2.0`;
  const issuer = `http://localhost:${port}${path}`;
  const person: Person = { sub: 'ada', email: 'ada@acme.example', email_verified: true };
  let provider: Provider;
  let keys = 0;
  const start = () => {
    provider = new Provider(issuer, {
      ...configuration(issuer, options, person),
      jwks: { keys: [createKey(`key-${(keys += 1)}`)] },
    });
  };
  start();
  const secretsSent: IdentityProvider['secretsSent'] = [];
  const server = http.createServer((req, res) => {
    // A framework that mounts the provider below a path does the same.
    Object.assign(req, { originalUrl: req.url, url: req.url!.slice(path.length) });
    if (req.url === '/token') secretsSent.push(req.headers.authorization ? 'header' : 'body');
    if (req.url?.startsWith('/interaction/')) void interact(provider, person, req, res);
    else void provider.callback()(req, res);
  });
  // A keep-alive connection must not close while a busy test reuses it.
  server.keepAliveTimeout = 60_000;
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    issuer,
    person,
    secretsSent,
    rotateKeys: start,
    visit: (url) => visit(issuer, url),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

function createKey(kid: string): JWK {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  return { ...privateKey.export({ format: 'jwk' }), kid, alg: 'RS256', use: 'sig' };
}

const configuration = (
  issuer: string,
  {
    redirectUri,
    clientId,
    secret,
    authMethod,
    tenant,
  }: Parameters<typeof startIdentityProvider>[0],
  person: Person,
): Configuration => ({
  clients: [
    {
      client_id: clientId,
      redirect_uris: [redirectUri],
      ...(secret === undefined
        ? { token_endpoint_auth_method: 'none' }
        : {
            client_secret: secret,
            ...(authMethod && { token_endpoint_auth_method: authMethod }),
          }),
    },
  ],
  ...(authMethod && { clientAuthMethods: [authMethod] }),
  claims: { email: ['email', 'email_verified', 'xms_edov'] },
  conformIdTokenClaims: tenant === undefined,
  ttl: { Session: 60, Grant: 60, Interaction: 60, AccessToken: 60, IdToken: 60 },
  cookies: { keys: ['only for tests'] },
  pkce: { required: () => true },
  features: { devInteractions: { enabled: false } },
  interactions: { url: (_ctx, interaction) => `${issuer}/interaction/${interaction.uid}` },
  findAccount: (_ctx, accountId) => ({
    accountId,
    claims: () => ({ ...person, sub: accountId }),
  }),
  // Nobody is asked for consent.
  loadExistingGrant: async (ctx) => {
    const { client, session, provider } = ctx.oidc;
    const grant = new provider.Grant({
      clientId: client!.clientId,
      accountId: session!.accountId!,
    });
    grant.addOIDCScope('openid email');
    await grant.save();
    return grant;
  },
});

async function interact(
  provider: Provider,
  person: { sub: string },
  req: http.IncomingMessage,
  res: http.ServerResponse,
): Promise<void> {
  if (req.method === 'POST') {
    await provider.interactionFinished(req, res, { login: { accountId: person.sub } });
    return;
  }
  res.setHeader('Content-Type', 'text/html');
  res.end(
    '<!doctype html><title>Provider</title><form method="post"><button>Sign in</button></form>',
  );
}

async function visit(issuer: string, start: string): Promise<Record<string, string>> {
  const cookies = new Map<string, string>();
  let url = start;
  let method = 'GET';
  while (url.startsWith(issuer)) {
    const answer = await send(url, {
      method,
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
    });
    for (const set of answer.headers['set-cookie'] ?? []) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(set)!;
      cookies.set(name!, value!);
    }
    const { location } = answer.headers;
    if (location === undefined && method === 'POST')
      throw new Error(`The provider answered ${answer.status}: ${answer.body}`);
    method = location === undefined ? 'POST' : 'GET';
    if (location !== undefined) url = new URL(location, url).href;
    else if (!url.includes('/interaction/'))
      throw new Error(`The provider answered ${answer.status}: ${answer.body}`);
  }
  return Object.fromEntries(new URL(url).searchParams);
}
