// A collector of traces: an HTTP server on loopback that takes OTLP in protobuf, and keeps every byte and every span of it.
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type Value = string | number;
type Attributes = Readonly<Record<string, Value>>;
type Reference = { readonly traceId: string; readonly spanId: string };

export type ReceivedSpan = Reference & {
  /** Empty for a span that begins a trace. */
  readonly parentId: string;
  readonly name: string;
  readonly attributes: Attributes;
  readonly links: readonly Reference[];
  readonly isFailed: boolean;
  readonly statusMessage: string;
  readonly events: number;
  readonly resource: Attributes;
};

type Export = {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
};
type Answering = (response: ServerResponse) => void;

export type OtlpReceiver = Awaited<ReturnType<typeof startOtlpReceiver>>;

export const answerStatus =
  (status: number): Answering =>
  (response) =>
    void response.writeHead(status).end();

export async function startOtlpReceiver() {
  const exports: Export[] = [];
  let answering: Answering = answerStatus(200);
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { url: path = '', headers } = request;
      exports.push({ path, headers, bytes: Buffer.concat(chunks) });
      answering(response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    exports,
    spans: (): ReceivedSpan[] => exports.flatMap(({ bytes }) => spansOf(bytes)),
    answerWith: (how: Answering) => void (answering = how),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The fields of a message of protobuf by number: bytes of strings and messages, and numbers. */
type Fields = ReadonlyMap<number, readonly (Buffer | bigint)[]>;

/** https://protobuf.dev/programming-guides/encoding/ */
function fieldsOf(bytes: Buffer): Fields {
  const fields = new Map<number, (Buffer | bigint)[]>();
  let at = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes.readUInt8(at++);
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  const take = (length: number): Buffer => bytes.subarray(at, (at += length));
  while (at < bytes.length) {
    const tag = Number(varint());
    const [number, type] = [tag >> 3, tag & 7];
    const values = fields.get(number) ?? [];
    fields.set(number, values);
    if (type === 0) values.push(varint());
    else if (type === 1) values.push(take(8).readBigUInt64LE());
    else if (type === 2) values.push(take(Number(varint())));
    else if (type === 5) values.push(BigInt(take(4).readUInt32LE()));
    else throw new Error(`Unknown wire type ${type}.`);
  }
  return fields;
}

const many = (fields: Fields, number: number): Buffer[] =>
  (fields.get(number) ?? []).filter((value) => Buffer.isBuffer(value));
const one = (fields: Fields, number: number): Buffer => many(fields, number)[0] ?? Buffer.alloc(0);
const messages = (fields: Fields, number: number) => many(fields, number).map(fieldsOf);

/** The numbers of the fields are those of opentelemetry/proto/trace/v1/trace.proto. */
function spansOf(bytes: Buffer): ReceivedSpan[] {
  return messages(fieldsOf(bytes), 1).flatMap((resourceSpans) => {
    const resource = attributesOf(fieldsOf(one(resourceSpans, 1)), 1);
    return messages(resourceSpans, 2).flatMap((scope) =>
      messages(scope, 2).map((span) => spanOf(span, resource)),
    );
  });
}

function spanOf(span: Fields, resource: Attributes): ReceivedSpan {
  const status = fieldsOf(one(span, 15));
  const statusError = 2n;
  return {
    ...referenceOf(span),
    parentId: one(span, 4).toString('hex'),
    name: one(span, 5).toString(),
    attributes: attributesOf(span, 9),
    links: messages(span, 13).map(referenceOf),
    isFailed: status.get(3)?.[0] === statusError,
    statusMessage: one(status, 2).toString(),
    events: many(span, 11).length,
    resource,
  };
}

const referenceOf = (fields: Fields): Reference => ({
  traceId: one(fields, 1).toString('hex'),
  spanId: one(fields, 2).toString('hex'),
});

function attributesOf(fields: Fields, number: number): Attributes {
  const pairs = messages(fields, number).map((pair): [string, Value] => {
    const value = fieldsOf(one(pair, 2));
    const whole = value.get(3)?.[0];
    return [
      one(pair, 1).toString(),
      whole === undefined ? one(value, 1).toString() : Number(whole),
    ];
  });
  return Object.fromEntries(pairs);
}
