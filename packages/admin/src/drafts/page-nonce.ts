/** The nonce with which the page's policy allows styles. Browsers show it only as a property. */
export const pageNonce = (): string =>
  document.querySelector<HTMLScriptElement>('script[nonce]')?.nonce ?? '';
