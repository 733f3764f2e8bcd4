import { createHash, randomBytes } from 'node:crypto';

/**
 * `pek_`, 43 characters of base64url (256 random bits), `_` and 8 hexadecimal digits of a checksum:
 * a form that secret scanners can recognize and verify offline.
 */
const pattern = /^pek_([\w-]{43})_([0-9a-f]{8})$/;

const checksum = (body: string): string =>
  createHash('sha256').update(body).digest('hex').slice(0, 8);

export function generateApiKey(): string {
  const body = randomBytes(32).toString('base64url');
  return `pek_${body}_${checksum(body)}`;
}

/** Whether the text has the form of an API key, so that typing errors cost no query. */
export function isApiKey(text: string): boolean {
  const match = pattern.exec(text);
  return match !== null && checksum(match[1]!) === match[2];
}
