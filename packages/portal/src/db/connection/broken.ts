import pg from 'pg';

/**
 * The embedded database has failed permanently: only another process can open it again. Looks to
 * callers like PostgreSQL's error after a crash.
 */
export class BrokenDatabaseError extends pg.DatabaseError {
  override code = '57P02';

  constructor(message: string, options: { cause?: unknown } = {}) {
    // The drivers recognize database errors by this name.
    super(message, 0, 'error');
    this.cause = options.cause;
  }
}
