import { hash, randomBytes } from 'node:crypto';

/** 256 random bits for a URL or a header: 43 characters of base64url. */
export const createToken = (): string => randomBytes(32).toString('base64url');

export const isToken = (value: unknown): value is string =>
  typeof value === 'string' && /^[\w-]{43}$/.test(value);

/** Hashes a secret for storage. Secrets are random, so no salt is needed. */
export const sha256 = (secret: string): Buffer => hash('sha256', secret, 'buffer');
