import { hash, randomBytes } from 'node:crypto';

/** 256 random bits for a URL or a header: 43 characters of base64url. */
export const createToken = (): string => randomBytes(32).toString('base64url');

export const isToken = (value: unknown): value is string =>
  typeof value === 'string' && /^[\w-]{43}$/.test(value);

/**
 * A token of a URL, or of its session, with which somebody views the portal as another user. Its form
 * is unknown to earlier releases, which would take this person for the user.
 */
export const createViewToken = (): string => `view_${createToken()}`;

export const isViewToken = (value: unknown): value is string =>
  typeof value === 'string' && value.startsWith('view_') && isToken(value.slice(5));

/** Hashes a secret for storage. Secrets are random, so no salt is needed. */
export const sha256 = (secret: string): Buffer => hash('sha256', secret, 'buffer');
