/** Types of the API operations. Types only, so that code without a browser can import them. */
export type { Answer, Operation, Request } from '../../../client/client.ts';
