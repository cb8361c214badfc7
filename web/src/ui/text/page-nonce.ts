/** The nonce of the page, for libraries that add styles; '' when the page has none. */
export const pageNonce = (): string =>
  document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? '';
