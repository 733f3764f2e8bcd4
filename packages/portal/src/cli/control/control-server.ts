import { once } from 'node:events';
import fs from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { Writable } from 'node:stream';

import { z } from 'zod';

import type { Config } from '../../config.ts';
import type { Database } from '../../db/connection/open.ts';
import { version } from '../../version.ts';
import type { Terminal } from '../cli.ts';
import { exitCodes } from '../exit-codes.ts';
import {
  encodeMessage,
  readMessages,
  type CommandMessage,
  type CommandReply,
  type CommandRequest,
} from './messages.ts';
import { controlSocketPath } from './socket-path.ts';

/** Limit in characters, above the longest possible command line. */
const maxRequestLength = 4_000_000;

const requestSchema: z.ZodType<CommandRequest> = z.object({
  version: z.string(),
  args: z.array(z.string()),
  cwd: z.string(),
  operator: z.string(),
  canAnswer: z.boolean().optional(),
});

const replySchema: z.ZodType<CommandReply> = z.object({ reply: z.string().nullable() });

/** Runs a command line and resolves with its exit code. */
export type RunCommand = (args: readonly string[], terminal: Terminal) => Promise<number>;

interface Server {
  config: Config;
  /** The open database, whose lock this process holds. */
  db: Database;
  run: RunCommand;
}

/**
 * Accepts commands on a socket in the data directory.
 *
 * @returns a function that stops: it aborts running commands and waits for them
 */
export async function acceptCommands(options: Server): Promise<() => Promise<void>> {
  const file = controlSocketPath(options.config.dataDir);
  // A process that was killed leaves its socket behind.
  fs.rmSync(file, { force: true });
  const running = new Map<Socket, Promise<void>>();
  const server = createServer((socket) => {
    const serving = serve(socket, options)
      .catch(() => {})
      .finally(() => {
        socket.destroy();
        running.delete(socket);
      });
    running.set(socket, serving);
  });
  server.listen(file);
  await once(server, 'listening');
  return async () => {
    server.close();
    for (const socket of running.keys()) socket.destroy();
    await Promise.all(running.values());
  };
}

async function serve(socket: Socket, { config, db, run }: Server): Promise<void> {
  socket.on('error', () => {});
  const disconnected = new AbortController();
  socket.once('close', () => disconnected.abort());
  const requests = readMessages(socket, maxRequestLength);
  const { value } = await requests.next();
  const request = requestSchema.parse(value);
  const { args, cwd, operator } = request;
  async function ask(question: string): Promise<string | undefined> {
    await send(socket, { question });
    const { value: reply } = await requests.next();
    return replySchema.parse(reply).reply ?? undefined;
  }
  const exitCode =
    request.version === version
      ? await run(args, {
          env: {},
          stdout: createOutput(socket, (stdout) => ({ stdout })),
          stderr: createOutput(socket, (stderr) => ({ stderr })),
          ask: request.canAnswer ? ask : undefined,
          cwd,
          server: { db, config: { ...config, operator } },
          signal: disconnected.signal,
        })
      : await refuseVersion(socket, request);
  await send(socket, { exitCode });
  socket.end();
}

async function refuseVersion(socket: Socket, request: CommandRequest): Promise<number> {
  const detail = `The server that holds the embedded database has version ${version}, this command has ${request.version}. Use the server's version, or stop the server.`;
  await send(socket, { stderr: `portal: ${detail}\n` });
  return exitCodes.databaseInUse;
}

/** A stream that sends its text to the caller, with backpressure. */
const createOutput = (socket: Socket, wrap: (text: string) => CommandMessage): Writable =>
  new Writable({
    decodeStrings: false,
    write(chunk, _encoding, done) {
      socket.write(encodeMessage(wrap(String(chunk))), done);
    },
  });

function send(socket: Socket, message: CommandMessage): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.write(encodeMessage(message), (error) => (error ? reject(error) : resolve()));
  });
}
