import { randomUUID } from 'node:crypto';
import { rmSync, statSync } from 'node:fs';
import fs from 'node:fs/promises';
import path from 'node:path';

import { ReportError } from '#platform';
import { sync, type LocalFile } from '#report-engine';
import { isMissing } from '#server-kit';

/** How long a file stays after its last use, even if others need the space. */
const recentMs = 60_000;

/** A temporary file that nobody has written for so long was left behind by a crash. */
const abandonedMs = 3_600_000;

/** After a failed fetch, requests fail for this long without another attempt. */
const failedMs = 10_000;

const temporary = '.tmp';

interface Failure {
  error: unknown;
  at: number;
}

/** Writes the bytes of a file to `target`, and verifies them. */
export type FetchFile = (target: string) => Promise<void>;

/** Runs work when its turn has come. */
export type InTurn = (work: () => Promise<void>) => Promise<void>;

export interface CacheOptions {
  folder: string;
  maxBytes: number;
  /** How long a caller waits for a fetch, which goes on without it. */
  waitMs: number;
  /** Called when the fetch of a file fails, but not again until it has succeeded. */
  onFailed: (error: unknown, sha256: string) => void;
  /** Called when a fetch succeeds after a failure. */
  onReturned: (sha256: string) => void;
  /** Milliseconds of the system's clock. */
  now?: () => number;
}

/**
 * Files of the database on the disk of this instance, named by their SHA-256. Processes with the same
 * data directory share the folder: the time of a file is its last use.
 */
export class FileCache {
  readonly #options: CacheOptions;
  readonly #now: () => number;
  /** How many callers use a file that the engine may not have opened yet. */
  readonly #leases = new Map<string, number>();
  readonly #fetches = new Map<string, Promise<void>>();
  readonly #failures = new Map<string, Failure>();
  /** Bytes of files that are being written. */
  #reserved = 0;
  /** Evictions run one after the other, so that none counts the same space twice. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(options: CacheOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
  }

  get maxBytes(): number {
    return this.#options.maxBytes;
  }

  async createTemporary(): Promise<string> {
    await fs.mkdir(this.#options.folder, { recursive: true, mode: 0o700 });
    return path.join(this.#options.folder, `${randomUUID()}${temporary}`);
  }

  /**
   * Returns the file, and fetches it first if it is not here. Equal calls share one fetch.
   *
   * @param inTurn waits for the turn of a fetch
   * @throws `ReportError` `not_fetched`
   */
  async take(
    sha256: string,
    size: number,
    fetch: FetchFile,
    inTurn: InTurn = (work) => work(),
  ): Promise<LocalFile> {
    this.#lease(sha256, 1);
    try {
      const file = this.#pathOf(sha256);
      if (!(await this.#touch(file))) await this.#wait(sha256, size, fetch, inTurn);
      let isReleased = false;
      return {
        path: file,
        version: sha256,
        release: () => {
          if (!isReleased) this.#lease(sha256, -1);
          isReleased = true;
        },
      };
    } catch (error) {
      this.#lease(sha256, -1);
      throw error;
    }
  }

  /** Keeps a new file if it has space for it. Moves or removes the temporary file. */
  async add(sha256: string, size: number, source: string): Promise<void> {
    try {
      await this.#store(sha256, size, async () => source);
      this.#noteSuccess(sha256);
    } catch (error) {
      if (!(error instanceof ReportError)) throw error;
    } finally {
      await fs.rm(source, { force: true });
    }
  }

  /** The error of the last fetch, until one succeeds. */
  failureOf(sha256: string): unknown {
    return this.#failures.get(sha256)?.error;
  }

  /** The number of files whose last fetch failed. */
  get failed(): number {
    return this.#failures.size;
  }

  /** Removes the files of which `findKnown` returns no hash, such as those of deleted organizations. */
  async removeUnknown(
    findKnown: (hashes: string[]) => Promise<ReadonlySet<string>>,
  ): Promise<void> {
    const files = (await this.#list()).filter(({ name }) => !name.endsWith(temporary));
    const hashes = [...files.map(({ name }) => name), ...this.#failures.keys()];
    if (hashes.length === 0) return;
    const known = await findKnown(hashes);
    for (const file of files) if (!known.has(file.name)) this.#evict(file);
    for (const sha256 of this.#failures.keys())
      if (!known.has(sha256)) this.#failures.delete(sha256);
  }

  async #wait(sha256: string, size: number, fetch: FetchFile, inTurn: InTurn): Promise<void> {
    const failure = this.#failures.get(sha256);
    if (failure && this.#now() - failure.at < failedMs) throw notFetched(sha256, failure.error);
    const running = this.#fetches.get(sha256) ?? this.#start(sha256, size, fetch, inTurn);
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(notFetched(sha256)), this.#options.waitMs);
    });
    try {
      await Promise.race([running, late]);
    } finally {
      clearTimeout(timer);
    }
  }

  #start(sha256: string, size: number, fetch: FetchFile, inTurn: InTurn): Promise<void> {
    const done = this.#run(
      sha256,
      inTurn(() => this.#fetch(sha256, size, fetch)),
    ).finally(() => this.#fetches.delete(sha256));
    // Prevents an unhandled rejection after all callers have stopped waiting.
    done.catch(() => {});
    this.#fetches.set(sha256, done);
    return done;
  }

  async #run(sha256: string, fetching: Promise<void>): Promise<void> {
    try {
      await fetching;
    } catch (error) {
      if (!this.#failures.has(sha256)) this.#options.onFailed(error, sha256);
      this.#failures.set(sha256, { error, at: this.#now() });
      throw error instanceof ReportError ? error : notFetched(sha256, error);
    }
    this.#noteSuccess(sha256);
  }

  #noteSuccess(sha256: string): void {
    if (this.#failures.delete(sha256)) this.#options.onReturned(sha256);
  }

  async #fetch(sha256: string, size: number, fetch: FetchFile): Promise<void> {
    const target = await this.createTemporary();
    try {
      await this.#store(sha256, size, async () => {
        await fetch(target);
        return target;
      });
    } finally {
      await fs.rm(target, { force: true });
    }
  }

  /**
   * Reserves room for a file, writes it, and installs it.
   *
   * @param write returns the path of the temporary file
   * @throws `ReportError` `not_fetched` if there is no room
   */
  async #store(sha256: string, size: number, write: () => Promise<string>): Promise<void> {
    await this.#inTurn(() => this.#makeRoom(size));
    let written: string | undefined;
    try {
      const file = await write();
      await sync(file);
      await this.#touch(file);
      written = file;
    } finally {
      // Otherwise an eviction in progress would count the file twice, or not at all.
      await this.#inTurn(async () => {
        this.#reserved -= size;
        if (written !== undefined) await fs.rename(written, this.#pathOf(sha256));
      });
    }
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    const done = this.#turn.then(work);
    this.#turn = done.catch(() => {});
    return done;
  }

  /**
   * Evicts files, the least recently used first, until `size` more bytes fit, and reserves them.
   *
   * @throws `ReportError` `not_fetched` if all others are in use
   */
  async #makeRoom(size: number): Promise<void> {
    const files = await this.#list();
    const used = files.reduce(
      (sum, file) => sum + (file.name.endsWith(temporary) ? 0 : file.size),
      this.#reserved,
    );
    let excess = used + size - this.#options.maxBytes;
    for (const file of files.toSorted((one, other) => one.usedAt - other.usedAt))
      if (file.name.endsWith(temporary)) {
        if (file.usedAt < this.#now() - abandonedMs) this.#evict(file);
      } else if (excess > 0 && this.#evict(file)) excess -= file.size;
    if (excess > 0)
      throw new ReportError(
        'not_fetched',
        `The cache (${this.#options.maxBytes / 2 ** 20} MiB) is full of files that reports are using. Increase PORTAL_FILES_CACHE.`,
      );
    this.#reserved += size;
  }

  async #list(): Promise<{ name: string; size: number; usedAt: number }[]> {
    const found: { name: string; size: number; usedAt: number }[] = [];
    for (const name of await fs.readdir(this.#options.folder).catch(() => [])) {
      const stats = await fs.stat(this.#pathOf(name)).catch(() => undefined);
      if (stats) found.push({ name, size: stats.size, usedAt: stats.mtimeMs });
    }
    return found;
  }

  /** Removes a file, unless it is in use; returns whether it did. */
  #evict({ name }: { name: string }): boolean {
    const file = this.#pathOf(name);
    // Synchronously, so that no lease begins between the check and the removal.
    const usedAt = statSync(file, { throwIfNoEntry: false })?.mtimeMs;
    if (usedAt === undefined) return true;
    if (this.#leases.has(name) || usedAt > this.#now() - recentMs) return false;
    rmSync(file, { force: true });
    return true;
  }

  #lease(sha256: string, change: 1 | -1): void {
    const count = (this.#leases.get(sha256) ?? 0) + change;
    if (count > 0) this.#leases.set(sha256, count);
    else this.#leases.delete(sha256);
  }

  /** Notes a use; returns whether the file is here. */
  async #touch(file: string): Promise<boolean> {
    const now = new Date(this.#now());
    try {
      await fs.utimes(file, now, now);
      return true;
    } catch (error) {
      if (isMissing(error)) return false;
      throw notFetched(path.basename(file), error);
    }
  }

  #pathOf(name: string): string {
    return path.join(this.#options.folder, name);
  }
}

function notFetched(sha256: string, cause?: unknown): ReportError {
  const detail = cause instanceof Error ? `was not fetched: ${cause.message}` : 'is being fetched.';
  return new ReportError('not_fetched', `The file ${sha256} ${detail}`, { cause });
}
