/**
 * Returns the Content-Security-Policy of a page whose scripts are files of this server: nothing else is loaded, the page is in no
 * frame, and sends no form. `own`: what else the page may load.
 */
export const pagePolicy = (...own: readonly string[]): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    ...own,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
