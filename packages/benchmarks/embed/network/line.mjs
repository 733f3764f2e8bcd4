/**
 * A TCP proxy that delays and limits like a network line. It runs in a thread of its own, so that
 * other work of the process does not delay it. All connections of a line share its bandwidth.
 */
import net from 'node:net';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

/** Small enough that connections share the line evenly. */
const pieceBytes = 4_096;

/** One direction. A piece waits for its turn, takes its time at the given rate, then travels. */
function createWire(travelMs) {
  /** Connections with pieces to send; they take turns. */
  const senders = [];
  const travelling = [];
  let bytesPerMs = Infinity;
  let freeAt = 0;
  let timer;

  const run = () => {
    timer = undefined;
    const now = performance.now();
    while (senders.length > 0 && freeAt <= now) {
      const sender = senders.shift();
      const piece = sender.pieces.shift();
      if (sender.pieces.length > 0) senders.push(sender);
      freeAt += piece.length / bytesPerMs;
      travelling.push({ at: freeAt + travelMs, deliver: sender.deliver, piece });
    }
    while (travelling.length > 0 && travelling[0].at <= now) {
      const { deliver, piece } = travelling.shift();
      deliver(piece);
    }
    schedule();
  };
  const schedule = () => {
    clearTimeout(timer);
    const next = Math.min(
      senders.length > 0 ? freeAt : Infinity,
      travelling.length > 0 ? travelling[0].at : Infinity,
    );
    if (next < Infinity) timer = setTimeout(run, Math.max(0, next - performance.now()));
  };

  return {
    setRate: (mbits) => {
      bytesPerMs = (mbits * 1_000) / 8;
    },
    /** Returns functions that send data, and the end, of one connection. */
    connect(deliver, onEnd) {
      const sender = {
        pieces: [],
        deliver: (piece) => (piece.length > 0 ? deliver(piece) : onEnd()),
      };
      const push = (piece) => {
        if (senders.length === 0) freeAt = Math.max(freeAt, performance.now());
        if (sender.pieces.push(piece) === 1) senders.push(sender);
      };
      return {
        send(chunk) {
          for (let from = 0; from < chunk.length; from += pieceBytes)
            push(chunk.subarray(from, from + pieceBytes));
          schedule();
        },
        end() {
          push(Buffer.alloc(0));
          schedule();
        },
      };
    },
  };
}

/** Passes the data of one direction on. */
const pass = (from, to, wire) => {
  const { send, end } = wire.connect(
    (piece) => to.write(piece),
    () => to.end(),
  );
  from.on('data', send);
  from.on('end', end);
};

function runLine({ port, targetPort, rttMs }) {
  const up = createWire(rttMs / 2);
  const down = createWire(rttMs / 2);
  const sockets = new Set();

  const server = net.createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
    const target = net.connect({
      port: targetPort,
      host: '127.0.0.1',
      allowHalfOpen: true,
      noDelay: true,
    });
    for (const [socket, other] of [
      [client, target],
      [target, client],
    ]) {
      sockets.add(socket);
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        sockets.delete(socket);
        if (socket.errored) other.destroy();
      });
    }
    pass(target, client, down);
    // The handshake of TCP takes one round trip before the client can send.
    setTimeout(() => pass(client, target, up), rttMs);
  });
  server.listen(port, '127.0.0.1', () => parentPort.postMessage('listening', []));
  parentPort.on('message', ({ mbits, drop }) => {
    if (mbits !== undefined) for (const wire of [up, down]) wire.setRate(mbits);
    if (drop) for (const socket of sockets) socket.destroy();
    parentPort.postMessage('done', []);
  });
}

if (!isMainThread) runLine(workerData);

/** Starts a line from `port` to `targetPort`, without a limit of bandwidth at first. */
export async function openLine(options) {
  const worker = new Worker(new URL(import.meta.url), { workerData: options });
  const answer = () => new Promise((resolve) => worker.once('message', resolve));
  await answer();
  const ask = async (message) => {
    worker.postMessage(message, []);
    await answer();
  };
  return {
    setRate: (mbits) => ask({ mbits }),
    /** Closes all connections. */
    drop: () => ask({ drop: true }),
    close: () => worker.terminate(),
  };
}
