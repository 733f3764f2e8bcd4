import type { Readable } from 'node:stream';

/** What a command sends to the server that is to run it. */
export interface CommandRequest {
  /** Release of the caller; the server runs commands of its own release only. */
  version: string;
  args: string[];
  /** Folder that relative file names refer to. */
  cwd: string;
  /** The caller's name in the activity log. */
  operator: string;
}

/** What the server sends back, in order: output as it is written, then the exit code. */
export type CommandMessage = { stdout: string } | { stderr: string } | { exitCode: number };

/** A message is one line of JSON, which has no line break of its own. */
export const encodeMessage = (message: CommandRequest | CommandMessage): string =>
  `${JSON.stringify(message)}\n`;

/** @throws when a message is longer than `maxLength` characters or is not JSON */
export async function* readMessages(stream: Readable, maxLength = Infinity): AsyncGenerator {
  stream.setEncoding('utf8');
  let rest = '';
  for await (const chunk of stream) {
    const lines = (rest + String(chunk)).split('\n');
    rest = lines.pop()!;
    if (rest.length > maxLength) throw new Error('The message is too long.');
    for (const line of lines) yield JSON.parse(line);
  }
}
