import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

import type { Terminal } from '../cli.ts';
import { write } from '../output.ts';
import {
  encodeMessage,
  readMessages,
  type CommandMessage,
  type CommandRequest,
} from './messages.ts';
import { controlSocketPath } from './socket-path.ts';

/**
 * Asks the server of the data directory to run a command.
 *
 * @returns the command's exit code, or `undefined` if no server listens there
 * @throws if the server stops before the command has finished
 */
export async function runOnServer(
  dataDir: string,
  request: CommandRequest,
  { stdout, stderr, ask }: Pick<Terminal, 'stdout' | 'stderr' | 'ask'>,
): Promise<number | undefined> {
  const socket = await tryConnect(controlSocketPath(dataDir));
  if (!socket) return undefined;
  try {
    socket.write(encodeMessage(request));
    for await (const value of readMessages(socket)) {
      const message = value as CommandMessage;
      if ('exitCode' in message) return message.exitCode;
      if ('question' in message)
        socket.write(encodeMessage({ reply: (await ask?.(message.question)) ?? null }));
      else if ('stdout' in message) await write(stdout, message.stdout);
      else await write(stderr, message.stderr);
    }
  } finally {
    socket.destroy();
  }
  throw new Error(
    'The server stopped while it ran this command. Check whether the command took effect, then run it again.',
  );
}

async function tryConnect(file: string): Promise<Socket | undefined> {
  const socket = connect(file);
  try {
    await once(socket, 'connect');
    return socket;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ECONNREFUSED') return undefined;
    throw error;
  }
}
