/**
 * A process of its own for each contestant, so that its processor time is its own. `callers` drive
 * themselves; `hosts` listen and are driven from outside.
 */
import { callers } from './callers.mjs';
import { drive } from './drive.mjs';
import { hosts } from './hosts.mjs';

const [kind, name, portalUrl] = process.argv.slice(2);

if (kind === 'host') {
  const server = hosts[name](portalUrl).listen(0, '127.0.0.1', () => {
    process.send({ port: server.address().port });
  });
}
const call = kind === 'caller' ? callers[name](portalUrl) : undefined;
if (call) process.send({ port: 0 });

async function answer({ concurrency, durationMs }) {
  const before = process.cpuUsage();
  const result = concurrency === undefined ? {} : await drive(call, concurrency, durationMs);
  process.send({ ...result, cpu: process.cpuUsage(call && before) });
}

process.on('message', (message) => void answer(message));
