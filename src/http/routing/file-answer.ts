/**
 * Answers with the bytes of a file that somebody uploaded.
 *
 * Promises: the headers make browsers save the file. They do not execute it.
 */
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { create as contentDisposition } from 'content-disposition';
import type { Request, Response } from 'express';
import { requestIdOf } from '../envelope.ts';

export type FileAnswer = {
  readonly name: string;
  readonly contentType: string;
  readonly bytes: number;
  readonly read: () => Readable;
};

/** Rejects when the source fails; the connection is closed then, so that the client does not take a part for the whole. */
export async function sendFile(
  request: Request,
  response: Response,
  { name, contentType, bytes, read }: FileAnswer,
): Promise<void> {
  requestIdOf(response);
  response.writeHead(200, {
    'Content-Type': contentType,
    'Content-Length': bytes,
    'Content-Disposition': contentDisposition(name),
    'Content-Security-Policy': "default-src 'none'; sandbox",
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'private, no-store',
  });
  if (request.method === 'HEAD') {
    response.end();
    return;
  }
  await pipeline(read(), response);
}
