const hasCode = (error: unknown, codes: readonly string[]): boolean =>
  codes.includes(String((error as { code?: unknown } | undefined)?.code));

/** Whether an error means that the file does not exist. */
export const isMissing = (error: unknown): boolean => hasCode(error, ['ENOENT', 'ENOTDIR']);

/** Whether an error means that the disk, or the user's share of it, has no space left. */
export const isDiskFull = (error: unknown): boolean => hasCode(error, ['ENOSPC', 'EDQUOT']);

/** Whether an error means that this user may not read or write a file. */
export const isNotPermitted = (error: unknown): boolean => hasCode(error, ['EACCES', 'EPERM']);
