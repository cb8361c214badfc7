/** What operations take and answer: types alone, for what has to run without a browser. */
export type { Answer, Operation, Request } from '../../../client/client.ts';
