import fs from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import type { Socket } from 'node:net';

/** Time limit for opening a connection. */
const connectLimitMs = 5_000;

/** Creates an agent that reuses connections, and limits the time for opening one. */
export function createAgent({
  isTls,
  certificates,
  connections,
}: {
  isTls: boolean;
  /** File with trusted certificates. Default: those that Node trusts. */
  certificates: string | null;
  connections: number;
}): http.Agent {
  const options = { keepAlive: true, maxSockets: connections };
  const agent = isTls
    ? new https.Agent({
        ...options,
        ...(certificates === null ? {} : { ca: fs.readFileSync(certificates) }),
      })
    : new http.Agent(options);
  const connect = agent.createConnection.bind(agent);
  agent.createConnection = (...args) => {
    const socket = connect(...args) as Socket;
    const timer = setTimeout(
      () => socket.destroy(new Error(`no connection within ${connectLimitMs} ms`)),
      connectLimitMs,
    );
    for (const event of [isTls ? 'secureConnect' : 'connect', 'close'])
      socket.once(event, () => clearTimeout(timer));
    return socket;
  };
  return agent;
}
