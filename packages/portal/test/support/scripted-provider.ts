import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';
import { text } from 'node:stream/consumers';

import { findFreePort } from 'test-support';
import { onTestFinished } from 'vitest';

export const scriptedClientId = 'portal';

/** The answer of a token endpoint with these claims. */
export function createTokens(issuer: string, privateKey: KeyObject, claims: object): string {
  const iat = Math.floor(Date.now() / 1_000);
  const parts = [
    { alg: 'RS256', kid: 'a' },
    { iss: issuer, aud: scriptedClientId, iat, exp: iat + 60, ...claims },
  ];
  const signed = parts
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  const signature = sign('sha256', Buffer.from(signed), privateKey);
  const token = `${signed}.${signature.toString('base64url')}`;
  return JSON.stringify({ access_token: 'a', token_type: 'Bearer', id_token: token });
}

/** An answer, as a provider sends it. */
export interface ScriptedAnswer {
  status: number;
  type: string;
  body: string;
}

/**
 * Starts an identity provider with answers that the test sets, until the end of the test.
 *
 * @param path of the issuer
 */
export async function startScriptedProvider(path = '') {
  const port = await findFreePort();
  const issuer = `http://localhost:${port}${path}`;
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const paths = { authorization_endpoint: '/auth', token_endpoint: '/token', jwks_uri: '/keys' };
  const urls = Object.entries(paths).map(([name, endpoint]) => [name, issuer + endpoint]);
  const key = { ...publicKey.export({ format: 'jwk' }), kid: 'a', alg: 'RS256', use: 'sig' };
  const document: Record<string, unknown> = { issuer, ...Object.fromEntries(urls) };
  const json = (value: unknown): ScriptedAnswer => ({
    status: 200,
    type: 'application/json',
    body: JSON.stringify(value),
  });
  const provider = {
    issuer,
    privateKey,
    /** The discovery document. */
    document,
    /** Replaces the answer with the discovery document. */
    discovery: undefined as ScriptedAnswer | undefined,
    /** Claims of the userinfo endpoint. */
    userinfo: {} as object,
    /** The answer of the token endpoint. */
    answer: json({}),
    /** Bodies of its answers to specific codes. */
    bodies: new Map<string, string>(),
  };
  const respond = async (req: http.IncomingMessage): Promise<ScriptedAnswer> => {
    const endpoint = req.url!.slice(path.length);
    if (endpoint.startsWith('/.well-known/')) return provider.discovery ?? json(document);
    if (endpoint === '/keys') return json({ keys: [key] });
    if (endpoint === '/userinfo') return json(provider.userinfo);
    const code = new URLSearchParams(await text(req)).get('code') ?? '';
    return { ...provider.answer, body: provider.bodies.get(code) ?? provider.answer.body };
  };
  const server = http.createServer((req, res) => {
    void respond(req).then(({ status, type, body }) =>
      res.writeHead(status, { 'Content-Type': type }).end(body),
    );
  });
  // A keep-alive connection must not close while a busy test reuses it.
  server.keepAliveTimeout = 60_000;
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return provider;
}
