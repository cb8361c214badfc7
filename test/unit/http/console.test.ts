import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import express, { type RequestHandler } from 'express';
import { serveConsole } from '../../../src/http/server/console.ts';
import { getRequest, openRawClient, waitUntil } from '../../support/context/raw-client.ts';

let folder: string;
let server: Server;
let opened: Readable | undefined;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'inlet-console-'));
  await mkdir(join(folder, 'assets'));
  for (const name of ['gone.js', 'here.js']) await writeFile(join(folder, 'assets', name), '1;');
  // More than the buffers of both ends hold.
  await writeFile(join(folder, 'assets', 'large.js'), Buffer.alloc(24_000_000));
  const noteFile: RequestHandler = (_request, response, next) => {
    response.once('pipe', (file) => (opened = file as Readable));
    next();
  };
  const app = express().use(noteFile, serveConsole(folder));
  server = createServer(app).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
});
afterAll(async () => {
  await new Promise((resolve) => server.close(resolve));
  await rm(folder, { recursive: true });
});

test('a file that was deleted after the start fails one answer, and not the process', async () => {
  const { port } = server.address() as AddressInfo;
  const at = (name: string) => `http://127.0.0.1:${port}/assets/${name}`;
  await rm(join(folder, 'assets', 'gone.js'));
  await expect(fetch(at('gone.js')).then((response) => response.text())).rejects.toThrow(
    /fetch failed|terminated/,
  );
  expect(await (await fetch(at('here.js'))).text()).toBe('1;');
});

test('a file is closed when its client leaves before the end', async () => {
  const { port } = server.address() as AddressInfo;
  const client = await openRawClient(`http://127.0.0.1:${port}`, { isReading: false });
  opened = undefined;
  client.send(getRequest('/assets/large.js'));
  await waitUntil('the file is read', () => opened !== undefined);
  client.leave();
  await waitUntil('it is closed', () => opened?.closed === true);
});

test('a range that is not valid does not fail the answer', async () => {
  const { port } = server.address() as AddressInfo;
  const headers = { range: 'bytes=2-1' };
  const response = await fetch(`http://127.0.0.1:${port}/assets/here.js`, { headers });
  expect([response.status, await response.text()]).toEqual([200, '1;']);
});
