import { betterAuth } from 'better-auth';
import { memoryAdapter } from 'better-auth/adapters/memory';

// Stands for your own database. Next.js may load this module once for each route.
globalThis.database ??= { user: [], session: [], account: [], verification: [] };

export const auth = betterAuth({
  secret: process.env.SESSION_SECRET,
  baseURL: { allowedHosts: ['*.localhost:*'], protocol: 'http' },
  database: memoryAdapter(globalThis.database),
  emailAndPassword: { enabled: true },
  user: { additionalFields: { customer: { type: 'string', required: false, input: false } } },
  databaseHooks: {
    user: { create: { before: async (user) => ({ data: { ...user, customer: 'acme' } }) } },
  },
});
