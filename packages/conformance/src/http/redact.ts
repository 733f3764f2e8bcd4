/**
 * A token of an identity URL, or any other long run of the characters of a key. The e-mails of the
 * run's users are as long, but stay readable, because they are needed to remove the users by hand.
 */
const secretRuns = /(?<=[?&]token=)[^&\s"'<>]+|(?<![\w-])(?!portal-conformance-)[\w-]{40,}/g;

/** Shorter values of headers, such as `true`, are no secrets, and would be removed from other texts. */
const minHeaderSecretLength = 6;

type Headers = Readonly<Record<string, string>>;

/** What a run must not print. */
export interface Secrets {
  /** Empty or absent ones are ignored. */
  keys: readonly (string | undefined)[];
  /** Headers that may identify somebody. */
  headers: Headers | undefined;
  /** Addresses that were given, which may name a user and a password. */
  urls: readonly (string | undefined)[];
}

/** Removes secrets from a text. */
export type Redact = (text: string) => string;

/** Returns a function that removes the secrets of a run, and tokens, from a text. */
export function createRedact({ keys, headers = {}, urls }: Secrets): Redact {
  const secrets = [...keys, ...urls.flatMap(listUrlSecrets), ...listHeaderSecrets(headers)];
  const known = [...new Set(secrets.flatMap((secret = '') => listSpellings(secret)))]
    .filter((secret) => secret !== '')
    .toSorted((a, b) => b.length - a.length);
  return (text) =>
    known
      .reduce((cleaned, secret) => cleaned.replaceAll(secret, '[secret]'), text)
      .replace(secretRuns, '[secret]');
}

/** Removes user and password from an address. */
export function removeCredentials(url: string): string {
  const parsed = new URL(url);
  if (parsed.username === '' && parsed.password === '') return url;
  parsed.username = '';
  parsed.password = '';
  return parsed.href;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** How an answer may write a secret: as it is, in an address, or in JSON. */
const listSpellings = (secret: string): string[] => [
  secret,
  decode(secret),
  encodeURIComponent(secret),
  JSON.stringify(secret).slice(1, -1),
];

function listUrlSecrets(url: string | undefined): string[] {
  if (url === undefined) return [];
  const { username, password } = new URL(url);
  // Without a password, the user name may be a token.
  if (password === '') return [username];
  const credentials = `${decode(username)}:${decode(password)}`;
  return [password, Buffer.from(credentials).toString('base64')];
}

/** The values of headers, and the parts that an answer may repeat alone, such as one cookie of several. */
function listHeaderSecrets(headers: Headers): string[] {
  const values = Object.values(headers);
  const parts = values.flatMap((value) => value.split(/[;,]/)).flatMap(listCredentials);
  return [...values, ...parts].filter((secret) => secret.length >= minHeaderSecretLength);
}

/** The value of a cookie, the credentials after a scheme such as `Bearer`, or the text itself. */
function listCredentials(part: string): string[] {
  const [scheme = '', credentials = ''] = part.trim().split(/\s+/);
  const value = part.trim().replace(/^[^=\s]*[=\s]/, '');
  const unquoted = value.replace(/^"(.*)"$/, '$1');
  if (scheme.toLowerCase() !== 'basic') return [value, unquoted];
  const userAndPassword = Buffer.from(credentials, 'base64').toString();
  return [value, userAndPassword, userAndPassword.slice(userAndPassword.indexOf(':') + 1)];
}
