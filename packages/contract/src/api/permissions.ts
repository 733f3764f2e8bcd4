import { z } from 'zod';

/** The permissions of API keys. Each endpoint requires one, and some a second one for some users. */
export const permissions = [
  'users:read',
  'users:write',
  'administrators:write',
  'report-access:write',
  'reports:read',
  'rls:read',
  'rls:write',
  'audit:read',
  'identity:mint',
  'content:write',
] as const;

export type Permission = (typeof permissions)[number];
export const permissionSchema = z.enum(permissions);
