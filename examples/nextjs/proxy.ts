import { NextResponse } from 'next/server';
import type { NextRequest } from 'next/server';

import { tenants } from './lib/tenants.js';

const tenantsByHostName = new Map(Object.entries(tenants));
const isDevelopment = process.env.NODE_ENV === 'development';

export function proxy({ headers }: NextRequest) {
  const [hostName = ''] = (headers.get('host') ?? '').toLowerCase().split(':');
  const portal = tenantsByHostName.get(hostName)?.portalUrl;
  const nonce = crypto.randomUUID();
  const policy = [
    "default-src 'self'",
    `script-src 'nonce-${nonce}' 'strict-dynamic'${isDevelopment ? " 'unsafe-eval'" : ''}`,
    `style-src 'self'${isDevelopment ? " 'unsafe-inline'" : ''}`,
    "img-src 'self' data:",
    `frame-src ${portal ?? "'none'"}`,
    `connect-src 'self' ${portal ?? ''}`,
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'self'",
  ].join('; ');
  // Next.js takes the nonce of its scripts from the policy of the request.
  const forwarded = new Headers(headers);
  forwarded.set('Content-Security-Policy', policy);
  const answer = NextResponse.next({ request: { headers: forwarded } });
  answer.headers.set('Content-Security-Policy', policy);
  if (portal) answer.headers.set('Link', `<${portal}>; rel=preconnect`);
  return answer;
}

export const config = { matcher: ['/((?!portal-embed/|_next/).*)'] };
