import { clerkMiddleware } from '@clerk/nextjs/server';

export default clerkMiddleware(async (auth) => void (await auth.protect()));

export const config = { matcher: ['/portal-embed/:path*'] };
