import { pino, type DestinationStream, type Logger } from 'pino';

/** Fields that contain secrets, in any logged object. */
const secretFields = [
  'apiKey',
  'token',
  'bearer',
  'password',
  'connectionString',
  'authorization',
  'cookie',
  '["x-api-key"]',
  '["set-cookie"]',
];

/**
 * Only API keys and tokens have 43 or more such characters in a row. The look-behind prevents a match
 * that begins inside a JSON escape.
 */
const longWord = /(?<!\\|\\u[\da-f]{0,3})[\w-]{43,}/g;

/** The password of a database address. */
const databasePassword = /(postgres(?:ql)?:\/\/[^\s"@/:]{0,256}:)[^\s"@]{1,1024}@/g;

/** Redacts text that looks like a secret. */
export const redactSecrets = (line: string): string =>
  line.replace(longWord, '[redacted]').replace(databasePassword, '$1[redacted]@');

/**
 * Creates the service's log, which consists of JSON lines. Callers log no secrets; as a second
 * safeguard, secrets are redacted here.
 */
export function createLogger(level: string, destination?: DestinationStream): Logger {
  const options = {
    name: 'portal',
    level,
    redact: { paths: secretFields.flatMap(listPaths), censor: '[redacted]' },
    hooks: { streamWrite: redactSecrets },
  };
  return destination ? pino(options, destination) : pino(options);
}

/** Redaction needs the exact depth; no logged object is nested deeper than three levels. */
const listPaths = (field: string): string[] =>
  ['', '*', '*.*', '*.*.*'].map((prefix) =>
    prefix === '' || field.startsWith('[') ? prefix + field : `${prefix}.${field}`,
  );
