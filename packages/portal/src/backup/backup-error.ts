/** Why a backup or a restore is refused. */
export type BackupErrorCode =
  /** The file is damaged, incomplete or no backup, or it needs a newer release. */
  | 'invalid_backup'
  /** The target has tables or other data files. */
  | 'not_empty'
  /** There is not enough disk space or memory, or the database role may not do it. */
  | 'not_possible';

/** A backup cannot be written, read or restored. The message says what to do. */
export class BackupError extends Error {
  override name = 'BackupError';
  readonly code: BackupErrorCode;

  constructor(code: BackupErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
