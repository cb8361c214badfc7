// Reads a live stream (SSE) item by item.

export type StreamItem<Data> = {
  readonly id?: string;
  readonly event: string;
  readonly data: Data;
};

type Followed = { readonly token: string; readonly lastEventId?: string | undefined };

/** Follows a live stream until it is left. */
export async function followStream<Data>(url: string, { token, lastEventId }: Followed) {
  const controller = new AbortController();
  const response = await fetch(url, {
    headers: { keyapi: token, ...(lastEventId !== undefined && { 'last-event-id': lastEventId }) },
    signal: controller.signal,
  });
  expect(response.headers.get('content-type')).toContain('text/event-stream');
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  const items: StreamItem<Data>[] = [];
  let text = '';

  /** Resolves with the next item. Heartbeats are ignored. */
  async function next(): Promise<StreamItem<Data>> {
    for (;;) {
      const end = text.indexOf('\n\n');
      if (end === -1) {
        const { value, done } = (await reader?.read()) ?? { done: true };
        if (done) throw new Error('The stream has ended.');
        text += value;
        continue;
      }
      const lines = text.slice(0, end).split('\n');
      text = text.slice(end + 2);
      const fields = new Map(
        lines.map((line) => [line.split(': ')[0], line.split(': ').slice(1).join(': ')]),
      );
      const data = fields.get('data');
      if (data === undefined) continue;
      const id = fields.get('id');
      const item = {
        ...(id !== undefined && { id }),
        event: fields.get('event') ?? '',
        data: JSON.parse(data) as Data,
      };
      items.push(item);
      return item;
    }
  }

  return { next, items, leave: () => controller.abort() };
}
