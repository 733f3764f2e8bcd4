import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { buffer } from 'node:stream/consumers';

import { extract, pack } from 'tar-stream';

/** The entries of a tar: names and contents. */
export type TarEntries = [name: string, content: Buffer][];

export async function readTar(file: string): Promise<TarEntries> {
  const extracting = extract();
  fs.createReadStream(file).pipe(extracting as never);
  const entries: TarEntries = [];
  for await (const entry of extracting)
    entries.push([entry.header.name, await buffer(entry as AsyncIterable<Buffer>)]);
  return entries;
}

export async function writeTar(file: string, entries: TarEntries): Promise<void> {
  const packing = pack();
  for (const [name, content] of entries) packing.entry({ name }, content);
  packing.finalize();
  fs.writeFileSync(file, await buffer(packing as AsyncIterable<Buffer>));
}

/** Corrects `end.json`, as if the backup had been written with these entries. */
export function sealBackup(entries: TarEntries): TarEntries {
  const [, end] = entries.find(([name]) => name === 'end.json')!;
  const known = JSON.parse(end.toString()) as { entries: { name: string; rows?: number }[] };
  const contents = entries.filter(([name]) => name !== 'end.json');
  const sealed = contents.map(([name, content]) => ({
    name,
    bytes: content.byteLength,
    sha256: createHash('sha256').update(content).digest('hex'),
    ...(name.startsWith('tables/') && {
      rows: known.entries.find((entry) => entry.name === name)?.rows ?? 0,
    }),
  }));
  return [...contents, ['end.json', Buffer.from(JSON.stringify({ entries: sealed }))]];
}
