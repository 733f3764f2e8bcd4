import { getSessionCookie } from 'better-auth/cookies';
import { NextResponse } from 'next/server';

export const proxy = (request) =>
  getSessionCookie(request)
    ? NextResponse.next()
    : NextResponse.redirect(new URL('/sign-in', request.url));

export const config = { matcher: ['/((?!portal-embed/|api/auth/|sign-in|_next/).*)'] };
