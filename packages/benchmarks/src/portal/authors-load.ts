/**
 * Sends what one contributor can send, over several connections, until the benchmark ends it. It is a
 * process of its own, so that its work does not delay the measured requests.
 *
 * Prints the number of answers by kind and status as JSON when the benchmark sends it a message.
 */
import { setTimeout as delay } from 'node:timers/promises';

import { send } from 'test-support';
import { costlyDataset, costlyReports, costlyTexts } from 'test-support/costly-content';

import type { Kind, LoadOptions } from './authors-kinds.ts';
import { authorsAddress } from './authors-seed.ts';
import { publicUrl } from './readers-seed.ts';

/** Connections that send one kind of request. */
const connections = 3;

/** After a refusal because of a limit. */
const pauseMs = 250;

interface LoadRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string;
}

const options = JSON.parse(process.argv[2] ?? '') as LoadOptions;
const { organizationId, reportIds, apiKey, cookie, bearer } = options;

const host = new URL(publicUrl).host;
const type = { 'content-type': 'application/json' };
const asAuthor = { ...type, host, cookie, origin: publicUrl };
const asProgram = { ...type, host, 'x-api-key': apiKey };
const asReader = { ...type, host: new URL(authorsAddress).host, authorization: `Bearer ${bearer}` };

const base = `/admin/api/organizations/${organizationId}`;
const texts = Object.values({ ...costlyTexts, ...costlyReports });

const toRequest = (
  method: string,
  path: string,
  headers: Record<string, string>,
  json: object,
): LoadRequest => ({ method, path, headers, body: JSON.stringify(json) });

const apply = (files: Record<string, string>, dryRun: boolean) =>
  toRequest('PUT', '/api/content', asProgram, { files, dryRun });

/** Up to a megabyte of files. */
function packFiles(): LoadRequest[] {
  const packs: Record<string, string>[] = [];
  for (const [index, text] of texts.entries()) {
    const pack = packs.at(-1) ?? {};
    const isFull = JSON.stringify({ ...pack, text }).length > 990_000;
    if (isFull || packs.length === 0) packs.push({ [`reports/costly-${index}.yaml`]: text });
    else pack[`reports/costly-${index}.yaml`] = text;
  }
  return packs.map((files) => apply(files, false));
}

const edited = `${base}/definitions/reports/${reportIds['texts']}`;
const preview = `${base}/reports/${reportIds['texts']}/preview`;

const requests: Record<Kind, LoadRequest[]> = {
  checks: texts.map((text) => toRequest('POST', `${edited}/check`, asAuthor, { text })),
  previews: texts.map((text) => toRequest('POST', preview, asAuthor, { text })),
  saves: texts.map((text) => toRequest('PUT', edited, asAuthor, { text, version: 1 })),
  applies: [
    ...packFiles(),
    apply({ 'datasets/costly.yaml': costlyDataset('{ file: orders.csv }') }, true),
  ],
  views: Object.values(reportIds).map((id) =>
    toRequest('POST', `/viewer/reports/${id}/view`, asReader, { intent: 'refresh' }),
  ),
};

const answers = new Map<string, number>();

async function repeat(kind: Kind, start: number): Promise<never> {
  const list = requests[kind];
  for (let next = start; ; next += 1) {
    const { path, ...request } = list[next % list.length]!;
    const { status } = await send(options.origin + path, request);
    const outcome = `${kind} ${status}`;
    answers.set(outcome, (answers.get(outcome) ?? 0) + 1);
    if (status === 429 || status === 503) await delay(pauseMs);
  }
}

process.on('message', () => {
  process.send?.(Object.fromEntries(answers));
});

const loops = options.kinds.flatMap((kind) =>
  Array.from({ length: connections }, (_, index) =>
    repeat(kind, Math.floor((index * requests[kind].length) / connections)),
  ),
);
await Promise.all(loops);
