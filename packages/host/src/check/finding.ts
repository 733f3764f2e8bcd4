export interface Finding {
  check:
    | 'address'
    | 'clock'
    | 'key'
    | 'user'
    | 'provisioning'
    | 'embed origins'
    | 'host page'
    | 'isolation'
    | 'endpoint';
  /** False if there is something to fix. */
  ok: boolean;
  /** True if this could not be checked and you must check it yourself; `ok` is then true. */
  warning: boolean;
  /** What was found and, if it is wrong, what to fix. Never contains the key. */
  message: string;
}

/** Messages quote answers, which must not control the terminal or look like another finding. */
const escapeControls = (text: string): string => text.replace(/\p{Cc}/gu, encodeURIComponent);

export const passed = (check: Finding['check'], message: string): Finding => ({
  check,
  ok: true,
  warning: false,
  message: escapeControls(message),
});

export const warned = (check: Finding['check'], message: string): Finding => ({
  ...passed(check, message),
  warning: true,
});

export const failed = (check: Finding['check'], message: string): Finding => ({
  check,
  ok: false,
  warning: false,
  message: escapeControls(message),
});

export const describeError = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);
