import { PGlite } from '@electric-sql/pglite';
import { NodeFS } from '@electric-sql/pglite/nodefs';
import pg from 'pg';

import { openEmbedded } from '../../db/embedded/embedded.ts';
import { findApplied } from '../applied.ts';
import type { SnapshotSession } from '../session.ts';
import { openPgliteSession } from './pglite-session.ts';

/** Opens a copy of an embedded database, which nobody else uses and which need not survive a crash. */
export async function openCopy(folder: string): Promise<SnapshotSession> {
  const pglite = new PGlite({ fs: new NodeFS(folder) });
  await pglite.waitReady;
  const close = () => pglite.close();
  try {
    return { ...(await openPgliteSession(pglite)), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * Opens the embedded database itself.
 *
 * @throws `LockedError` if another process holds it; `schema_outdated`, `portal_outdated`
 */
export async function openInPlace(dataDir: string): Promise<SnapshotSession> {
  const { pglite, close } = await openEmbedded(dataDir, { types: pg.types });
  try {
    const session = await openPgliteSession(pglite);
    await findApplied(session);
    return { ...session, close };
  } catch (error) {
    await close();
    throw error;
  }
}
