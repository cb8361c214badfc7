/** The revision of the sources that were built. */

/** Replaced by the bundler with a string. Sources that are not bundled do not have it. */
declare const INLET_REVISION: string | undefined;

/** `unknown` when the build was not given a revision. */
export const revision = (typeof INLET_REVISION === 'undefined' ? '' : INLET_REVISION) || 'unknown';
