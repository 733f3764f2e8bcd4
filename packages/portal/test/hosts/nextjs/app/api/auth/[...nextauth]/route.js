import NextAuth from 'next-auth';

import { authOptions } from '../../../../auth.js';
import { auth } from '../../../../nextjs-better-auth/auth.js';

const nextAuth = NextAuth(authOptions);
const handler = (request, context) =>
  process.env.SESSIONS === 'better-auth' ? auth.handler(request) : nextAuth(request, context);

export { handler as GET, handler as POST };
