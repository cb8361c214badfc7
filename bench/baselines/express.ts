/** Baseline: Express with its JSON parser and a JSON response. Stores nothing. */
import type { AddressInfo } from 'node:net';
import express from 'express';

const app = express();
app.use(express.json());
app.post('/', (_request, response) => {
  response.json({ status: true, message: 'Webhook received.', data: { success: true } });
});
const server = app.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.send?.({ type: 'ready', url: `http://127.0.0.1:${port}/` });
});
process.once('disconnect', () => process.exit());
