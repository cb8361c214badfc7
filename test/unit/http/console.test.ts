import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import express from 'express';
import { serveConsole } from '../../../src/http/server/console.ts';

let folder: string;
let server: Server;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'inlet-console-'));
  await mkdir(join(folder, 'assets'));
  for (const name of ['gone.js', 'here.js']) await writeFile(join(folder, 'assets', name), '1;');
  server = createServer(express().use(serveConsole(folder))).listen(0, '127.0.0.1');
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
