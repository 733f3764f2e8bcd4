import { z } from 'zod';

/** What an API key may be allowed; each endpoint of the table needs exactly one. */
export const permissions = [
  'users:read',
  'users:write',
  'report-access:write',
  'reports:read',
  'rls:read',
  'rls:write',
  'audit:read',
  'identity:mint',
] as const;

export type Permission = (typeof permissions)[number];
export const permissionSchema = z.enum(permissions);
