/** Variables that begin with INLET_ and are none of Inlet's, such as misspelt settings, which would have no effect. */
import { closest, distance } from 'fastest-levenshtein';

/** Read by `npm start`, by the command line, by what `inlet send` and the console print, and by the files in `deploy`. */
const others = [
  'INLET_WORKERS',
  'INLET_URL',
  'INLET_TOKEN',
  'INLET_CONTEXT',
  'INLET_WEBHOOK_URL',
  'INLET_WEBHOOK_SECRET',
  'INLET_IMAGE',
  'INLET_VERSION',
  'INLET_REVISION',
  'INLET_HTTPS_PORT',
  'INLET_REDIS_PASSWORD',
  'INLET_SECRET',
  'INLET_WINEPREFIX',
];
const testNames = /^INLET_TEST_/;
/** Kubernetes and Docker add these for a service whose name begins with inlet. */
const serviceLinks =
  /^INLET_(?:\w+_)?(?:SERVICE_HOST|SERVICE_PORT(?:_\w+)?|PORT_\d+_(?:TCP|UDP|SCTP)(?:_(?:PROTO|PORT|ADDR))?)$/;
const linkValue = /^(?:tcp|udp|sctp):\/\//;

/** Returns whether the value is that of a service link, such as INLET_PORT for a service called inlet. */
export const isServiceLink = (value: string): boolean => linkValue.test(value);

/** More than two typing mistakes are another word. */
const maxDistance = 2;

type Environment = Readonly<Record<string, string | undefined>>;

/** Returns the names that are set and unknown, with the known name that is most alike. */
export function findUnknownNames(env: Environment, settings: readonly string[]) {
  const known = new Set([...settings, ...others]);
  const isUnknown = (name: string, value: string): boolean =>
    name.startsWith('INLET_') &&
    value !== '' &&
    !known.has(name) &&
    !testNames.test(name) &&
    !serviceLinks.test(name) &&
    !isServiceLink(value);
  return Object.entries(env)
    .filter(([name, value]) => isUnknown(name, value?.trim() ?? ''))
    .map(([name]) => ({ name, suggestion: nearest(name, [...known]) }));
}

function nearest(name: string, known: readonly string[]): string | null {
  const found = closest(name, known);
  return distance(name, found) <= maxDistance ? found : null;
}
