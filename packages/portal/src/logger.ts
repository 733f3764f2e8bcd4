import { pino, type DestinationStream, type Logger } from 'pino';

/** Fields that hold a secret, wherever an object with one gets into a line. */
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
 * Our keys, tokens and bearers are the only words as long as this, wherever they stand: in a
 * message, a stack, an address. A word begins after an escape of JSON, never inside one.
 */
const longWord = /(?<!\\|\\u[\da-f]{0,3})[\w-]{43,}/g;

/** The password of a database address. */
const databasePassword = /(postgres(?:ql)?:\/\/[^\s"@/:]{0,256}:)[^\s"@]{1,1024}@/g;

/** Blacks out what has the form of a secret. */
export const redactSecrets = (line: string): string =>
  line.replace(longWord, '[redacted]').replace(databasePassword, '$1[redacted]@');

/**
 * The service's log: JSON lines. What logs takes care not to name a secret; should one get into a
 * line all the same, it is blacked out here.
 */
export function createLogger(level: string, destination?: DestinationStream): Logger {
  const options = {
    name: 'portal',
    level,
    redact: { paths: secretFields.flatMap(anywhere), censor: '[redacted]' },
    hooks: { streamWrite: redactSecrets },
  };
  return destination ? pino(options, destination) : pino(options);
}

/** Redaction goes by exact depth; nothing that we log is nested deeper than this. */
const anywhere = (field: string): string[] =>
  ['', '*', '*.*', '*.*.*'].map((prefix) =>
    prefix === '' || field.startsWith('[') ? prefix + field : `${prefix}.${field}`,
  );
