import pg from 'pg';

/**
 * The embedded database has failed for good: only another process can open it again. To whoever
 * waits for an answer it is one that PostgreSQL gives when it ends after a crash.
 */
export class BrokenDatabaseError extends pg.DatabaseError {
  override severity = 'FATAL';
  override code = '57P02';

  constructor(message: string, options: { cause?: unknown } = {}) {
    // The name by which the drivers know an error of the database.
    super(message, 0, 'error');
    this.cause = options.cause;
  }
}
