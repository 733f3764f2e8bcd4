/**
 * A process for each contender, so that its processor time can be measured. `callers` send the
 * requests themselves; `hosts` listen and are called by the main process.
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
