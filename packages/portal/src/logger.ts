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
export function createLogger(level: string, destination = openOutput()): Logger {
  const options = {
    name: 'portal',
    level,
    redact: { paths: secretFields.flatMap(listPaths), censor: '[redacted]' },
    hooks: { streamWrite: redactSecrets },
  };
  return pino(options, destination);
}

/** Characters of lines that wait while the output cannot be written, such as on a full disk. */
const maxWaiting = 1_000_000;

/** Standard output. Each line is written at once: a process that is killed loses none. */
function openOutput(): DestinationStream {
  const output = pino.destination({ sync: true, maxLength: maxWaiting });
  let isReported = false;
  // Without a listener, a full disk would end the portal.
  output.on('error', (error: NodeJS.ErrnoException) => {
    if (isReported) return;
    isReported = true;
    process.stderr.write(
      `portal: The log cannot be written (${error.code}). The portal goes on, and lines are lost. Check the disk of the log, or the program that reads it.\n`,
    );
  });
  return output;
}

/** Redaction needs the exact depth; no logged object is nested deeper than three levels. */
const listPaths = (field: string): string[] =>
  ['', '*', '*.*', '*.*.*'].map((prefix) =>
    prefix === '' || field.startsWith('[') ? prefix + field : `${prefix}.${field}`,
  );
