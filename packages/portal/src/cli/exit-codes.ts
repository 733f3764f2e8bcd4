/** Exit codes, for scripts. */
export const exitCodes = {
  /** Done. */
  done: 0,
  /** Failed for another reason, which the message gives. */
  failed: 1,
  /** The command line, a value in it or the configuration is wrong. Nothing was done. */
  usage: 2,
  /** Something does not exist, exists already, has expired or was revoked. Nothing was changed. */
  refused: 3,
  /** Another command, or a server of another version, holds the embedded database. Nothing was changed. */
  databaseInUse: 4,
  /** The database does not answer, or the embedded database does not open. Try again. */
  databaseUnavailable: 5,
} as const;

export const exitCodesHelp = `
Exit codes:
  0  done
  1  failed; the message gives the reason
  2  the command line, a value or the configuration is not valid; nothing was done
  3  refused: something does not exist, exists already, has expired or was revoked; nothing was changed
  4  another command, or a server of another version, holds the embedded database
  5  the database does not answer, or the embedded database does not open; try again`;
