import { z } from 'zod';

/** The permissions of API keys. Each endpoint requires one. */
export const permissions = [
  'users:read',
  'users:write',
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
