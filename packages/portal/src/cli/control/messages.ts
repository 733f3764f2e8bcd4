import type { Readable } from 'node:stream';

/** A request to the server to run a command. */
export interface CommandRequest {
  /** Release of the caller; the server runs only commands of its own release. */
  version: string;
  args: string[];
  /** Folder that relative file names refer to. */
  cwd: string;
  /** The caller's name in the activity log. */
  operator: string;
  /** Whether a person can answer questions. Older releases do not send it. */
  canAnswer?: boolean | undefined;
}

/** The caller's answer to a question. */
export interface CommandReply {
  reply: string | null;
}

/** The server's answer: output as the command writes it, questions, then the exit code. */
export type CommandMessage =
  | { stdout: string }
  | { stderr: string }
  | { question: string }
  | { exitCode: number };

/** Encodes a message as one line: JSON contains no line breaks. */
export const encodeMessage = (message: CommandRequest | CommandMessage | CommandReply): string =>
  `${JSON.stringify(message)}\n`;

/** @throws if a message is longer than `maxLength` characters or is not JSON */
export async function* readMessages(stream: Readable, maxLength = Infinity): AsyncGenerator {
  stream.setEncoding('utf8');
  let rest = '';
  for await (const chunk of stream) {
    const lines = (rest + String(chunk)).split('\n');
    rest = lines.pop()!;
    if ([...lines, rest].some(({ length }) => length > maxLength))
      throw new Error('The message is too long.');
    for (const line of lines) yield JSON.parse(line);
  }
}
