import type { launchHeadless } from 'test-support';

type Page = Awaited<ReturnType<Awaited<ReturnType<typeof launchHeadless>>['newPage']>>;

/** Returns a heap snapshot of each document's process, taken after a garbage collection. */
export async function takeHeapSnapshots(page: Page): Promise<string[]> {
  const snapshots: string[] = [];
  for (const frame of page.frames()) snapshots.push(await takeHeapSnapshot(page, frame));
  return snapshots;
}

async function takeHeapSnapshot(
  page: Page,
  frame: ReturnType<Page['frames']>[number],
): Promise<string> {
  const context = page.context();
  // A frame in the process of the page has no session of its own.
  const devtools = await context.newCDPSession(frame).catch(() => context.newCDPSession(page));
  const chunks: string[] = [];
  devtools.on('HeapProfiler.addHeapSnapshotChunk', ({ chunk }) => chunks.push(chunk));
  await devtools.send('HeapProfiler.enable');
  await devtools.send('HeapProfiler.collectGarbage');
  await devtools.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false });
  await devtools.detach();
  return chunks.join('');
}
