/**
 * Measures the cost of a mint on each way to the portal. The ways take turns in one run, so that other
 * load on the machine affects all of them. Prints the median of the rounds and ratios.
 *
 * `npm run mint` in this folder, after `npm run build` in the root.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import os from 'node:os';
import { parseArgs } from 'node:util';

import { Agent, request } from 'undici';

import { drive } from './drive.mjs';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '7' },
    seconds: { type: 'string', default: '2' },
    concurrency: { type: 'string', default: '32' },
  },
});
const rounds = Number(values.rounds);
const durationMs = Number(values.seconds) * 1_000;
const concurrency = Number(values.concurrency);

const start = async (file, ...args) => {
  const child = fork(new URL(file, import.meta.url), args);
  const [ready] = await once(child, 'message');
  return { child, ready };
};
const ask = async (child, message) => {
  child.send(message);
  const [answer] = await once(child, 'message');
  return answer;
};

const portal = await start('portal.mjs');
const portalUrl = `http://127.0.0.1:${portal.ready}`;

async function startCaller(name) {
  const { child } = await start('worker.mjs', 'caller', name, portalUrl);
  return { name, child, measure: (ms) => ask(child, { concurrency, durationMs: ms }) };
}

async function startHost(name) {
  const { child, ready } = await start('worker.mjs', 'host', name, portalUrl);
  const address = `http://127.0.0.1:${ready.port}`;
  const dispatcher = new Agent({ connections: concurrency });
  const signIn = await request(`${address}/sign-in`, { dispatcher });
  await signIn.body.dump();
  const headers = {
    Cookie: String(signIn.headers['set-cookie']).split(';')[0],
    'Content-Type': 'application/json',
    'Sec-Fetch-Site': 'same-origin',
  };
  const options = { method: 'POST', headers, body: '{"hideMenu":true}', dispatcher };
  const call = async () => {
    const answer = await request(`${address}/portal-embed/url`, options);
    const { embedUrl } = await answer.body.json();
    if (!embedUrl) throw new Error(`${name} answered ${answer.statusCode}`);
  };
  const measure = async (ms) => {
    const { cpu: before } = await ask(child, {});
    const result = await drive(call, concurrency, ms);
    const { cpu: after } = await ask(child, {});
    return {
      ...result,
      cpu: { user: after.user - before.user, system: after.system - before.system },
    };
  };
  return { name, child, measure };
}

const print = (line) => process.stdout.write(`${line}\n`);
const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];

async function compare(title, contenders) {
  const results = new Map(contenders.map(({ name }) => [name, []]));
  for (const { measure } of contenders) await measure(1_000);
  for (let round = 0; round < rounds; round += 1)
    for (const { name, measure } of contenders) results.get(name).push(await measure(durationMs));

  print(`\n${title}\n`);
  print('| | mints/s | p50 ms | p99 ms | CPU µs/mint | throughput | CPU |');
  print('|---|---|---|---|---|---|---|');
  const rows = [...results].map(([name, list]) => ({
    name,
    perSecond: median(list.map((each) => each.perSecond)),
    p50: median(list.map((each) => each.p50)),
    p99: median(list.map((each) => each.p99)),
    cpu: median(list.map(({ cpu, mints }) => (cpu.user + cpu.system) / mints)),
  }));
  for (const row of rows) {
    const ratio = (key) => (row[key] / rows[0][key]).toFixed(2);
    const figures = [row.perSecond, row.p50, row.p99, row.cpu].map((n, i) =>
      n.toFixed(i === 0 || i === 3 ? 0 : 1),
    );
    print(`| ${row.name} | ${figures.join(' | ')} | ${ratio('perSecond')} | ${ratio('cpu')} |`);
  }
  for (const { child } of contenders) child.kill();
}

const load = os.loadavg()[0].toFixed(1);
print(
  `Node ${process.versions.node}, ${os.cpus().length} × ${os.cpus()[0].model.trim()}, load ${load} at the start; ${rounds} rounds of ${values.seconds} s, ${concurrency} at once. Ratios are to the first row.`,
);
await compare('A program that mints', [
  await startCaller('bare undici'),
  await startCaller('plain axios'),
  await startCaller('@portal-embed/client'),
]);
await compare('A host application that mints for its session', [
  await startHost('hand-written handler'),
  await startHost('@portal-embed/express'),
]);
portal.child.kill();
process.exit(0);
