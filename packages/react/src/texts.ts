/** Every text of the default UI. */
export const defaultTexts = {
  loading: 'Loading report',
  /** Heard by screen readers only. */
  ready: 'Report loaded',
  error: 'Report could not be loaded',
  refused: 'No access to this report',
  signedOut: 'Sign in to see this report',
  retry: 'Try again',
};

export type EmbedTexts = typeof defaultTexts;
