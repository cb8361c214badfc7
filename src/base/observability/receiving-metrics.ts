/** What a server receives, and what its APIs answer. */
import { errorCodes } from '../errors.ts';
import { server } from './metric-definition.ts';

const receiveBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const bodyBuckets = [0.005, 0.05, 0.5, 5, 30];
const requestBuckets = [0.01, 0.05, 0.1, 0.5, 1, 5];

const receiveOutcomes = [
  'event',
  'duplicate',
  'sample',
  'held',
  'handshake',
  'client_error',
  'server_error',
] as const;
export type ReceiveOutcome = (typeof receiveOutcomes)[number];

export const receivingMetrics = {
  received: server.counter({
    name: 'inlet_events_received_total',
    help: 'Accepted inbound requests, by mode.',
    labels: { mode: ['sample', 'event', 'held', 'handshake'] },
  }),
  duplicates: server.counter({
    name: 'inlet_events_duplicate_total',
    help: 'Accepted inbound requests that were resends of a known event.',
  }),
  rejected: server.counter({
    name: 'inlet_requests_rejected_total',
    help: 'Rejected inbound requests, by error code.',
    labels: { code: errorCodes },
  }),
  receipts: server.counter({
    name: 'inlet_receipts_total',
    help: 'Receipt lookups of senders, by result: found, or an error code.',
    labels: { result: ['found', ...errorCodes] },
  }),
  receiveSeconds: server.histogram({
    name: 'inlet_receive_duration_seconds',
    help: 'Duration of inbound requests from arrival to response, without the time in which the body is uploaded.',
    labels: { outcome: receiveOutcomes },
    buckets: receiveBuckets,
    exemplars: true,
  }),
  bodySeconds: server.histogram({
    name: 'inlet_receive_body_seconds',
    help: 'Time in which the body of an inbound request is uploaded.',
    buckets: bodyBuckets,
  }),
  pendingBytes: server.gauge({
    name: 'inlet_receiving_pending_bytes',
    help: 'Bytes of request bodies in flight on the receiving route, announced or read.',
  }),
  connections: server.gauge({
    name: 'inlet_http_connections',
    help: 'Open connections to the public port.',
  }),
  connectionsClosed: server.counter({
    name: 'inlet_http_connections_closed_total',
    help: 'Connections closed or not accepted because of a limit, by reason.',
    labels: { reason: ['pipelined', 'unread', 'evicted', 'rejected'] },
  }),
  heldBytes: server.gauge({
    name: 'inlet_http_held_bytes',
    help: 'Bytes of answers that clients have not read, and of requests that wait on their connection.',
  }),
  requestSeconds: server.histogram({
    name: 'inlet_http_request_duration_seconds',
    help: 'Duration of requests to the APIs from arrival to the end of the response, streams aside.',
    labels: {
      method: ['GET', 'POST', 'PATCH', 'DELETE', 'other'],
      route: 'the path template of an operation',
      status: ['2xx', '3xx', '4xx', '5xx'],
    },
    buckets: requestBuckets,
  }),
  credentialFailures: server.counter({
    name: 'inlet_credential_failures_total',
    help: 'Invalid path keys and tokens, by answer: at once, delayed, or rejected with 429.',
    labels: { kind: ['key', 'token'], answer: ['at_once', 'delayed', 'rejected'] },
  }),
  apiLimited: server.counter({
    name: 'inlet_api_rate_limited_total',
    help: 'Requests to the inbox APIs that exceeded the rate limit of their token.',
  }),
};
