import fs from 'node:fs';

import { PGlite } from '@electric-sql/pglite';
import { NodeFS } from '@electric-sql/pglite/nodefs';

import { BrokenDatabaseError } from '../connection/broken.ts';
import { formatFileKey, type SyncedFiles } from './crash-sync.ts';

/** Members of Emscripten that PGlite's types leave out. */
interface EmscriptenModule {
  NODEFS: { stream_ops: { fsync?: (stream: { nfd: number }) => number } };
}

/** PGlite's file system with a real fsync; its own does nothing. */
class DurableNodeFS extends NodeFS {
  /** Called when PostgreSQL exits, for example because its disk is full. */
  onAbort = () => {};
  /** Why PostgreSQL ended, as it logged it. */
  lastWords: string | undefined;
  readonly #synced: SyncedFiles;

  constructor(folder: string, synced: SyncedFiles) {
    super(folder);
    this.#synced = synced;
  }

  override async init(...[pglite, options]: Parameters<NodeFS['init']>) {
    const initialized = await super.init(pglite, options);
    const { emscriptenOpts } = initialized;
    const preRun = [...(emscriptenOpts.preRun ?? []), syncToDisk(this.#synced)];
    const onAbort = () => this.onAbort();
    // Other lines of the log contain statements and values.
    const printErr = (text: string) => {
      this.lastWords =
        /^[-\d:. ]+\w+ \[\d+\] (?:FATAL|PANIC): +(.+)/.exec(text)?.[1] ?? this.lastWords;
    };
    return { emscriptenOpts: { ...emscriptenOpts, preRun, onAbort, printErr } };
  }
}

const syncToDisk = (synced: SyncedFiles) => (module: unknown) => {
  (module as EmscriptenModule).NODEFS.stream_ops.fsync = ({ nfd }) => {
    if (!isUnchanged(nfd, synced)) fs.fsyncSync(nfd);
    return 0;
  };
};

function isUnchanged(descriptor: number, synced: SyncedFiles): boolean {
  if (synced.size === 0) return false;
  const stat = fs.fstatSync(descriptor, { bigint: true });
  return synced.get(formatFileKey(stat)) === stat.ctimeNs;
}

// `-F` turns fsync off regardless of the configuration. The default wal_sync_method, fdatasync, does
// not use the patched call.
const startParams = [
  ...PGlite.defaultStartParams.filter((parameter) => parameter !== '-F'),
  '-c',
  'wal_sync_method=fsync',
];

type Messages = Awaited<ReturnType<PGlite['execProtocolStream']>>;

/**
 * PGlite that answers every message with an error once it is broken. Without that it would not answer,
 * or would block this thread forever.
 */
export class BreakablePGlite extends PGlite {
  /** Resolves with the reason if the database breaks. */
  readonly broken: Promise<BrokenDatabaseError>;
  readonly #folder: string;
  readonly #files: DurableNodeFS;
  #resolveBroken!: (error: BrokenDatabaseError) => void;
  #refusal: Messages | undefined;
  #answer: (messages: Messages) => void = () => {};

  /** @param synced files that need no sync until they change */
  constructor(folder: string, synced: SyncedFiles) {
    const files = new DurableNodeFS(folder, synced);
    super({ fs: files, startParams });
    this.#folder = folder;
    this.#files = files;
    this.broken = new Promise((resolve) => (this.#resolveBroken = resolve));
    files.onAbort = () => void this.break();
  }

  get isBroken(): boolean {
    return this.#refusal !== undefined;
  }

  /** Abandons the database and returns the error that it answers from now on. */
  break(): Messages {
    if (!this.#refusal) {
      const error = this.describeFailure('answers no more');
      this.#refusal = [error, { name: 'readyForQuery', length: 5 }];
      this.#answer(this.#refusal);
      this.#resolveBroken(error);
    }
    return this.#refusal;
  }

  describeFailure(what: string, cause?: Error): BrokenDatabaseError {
    const reason = this.#files.lastWords ?? cause?.message;
    return new BrokenDatabaseError(
      `The embedded database in ${this.#folder} ${what}${reason ? ` (${reason})` : ''}. ` +
        'Free disk space if the disk is full, then start again. Committed data is kept.',
      { cause },
    );
  }

  override execProtocolStream(
    ...input: Parameters<PGlite['execProtocolStream']>
  ): Promise<Messages> {
    return new Promise((resolve, reject) => {
      this.#answer = resolve;
      if (this.#refusal) resolve(this.#refusal);
      else super.execProtocolStream(...input).then(resolve, reject);
    });
  }
}
