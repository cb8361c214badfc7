/** Baseline: node:http that reads the body and sends a constant response. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const body = '{"status":true,"message":"Webhook received.","data":{"success":true}}';
const headers = { 'Content-Type': 'application/json', 'Content-Length': body.length };

const server = createServer((request, response) => {
  request.resume().on('end', () => response.writeHead(200, headers).end(body));
});
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.send?.({ type: 'ready', url: `http://127.0.0.1:${port}/` });
});
process.once('disconnect', () => process.exit());
