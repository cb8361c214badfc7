/** Requests of a parent process over IPC, such as for the metrics of this process. */

type IpcRequest = { readonly type: 'request'; readonly id: number; readonly name: string };
type IpcResponse = { readonly type: 'response'; readonly id: number; readonly value: unknown };

/** Responds to the requests of the parent, by name. A request that fails, or has another name, gets no response. */
export function handleIpcRequests(handlers: Readonly<Record<string, () => unknown>>): void {
  async function respond({ id, name }: IpcRequest): Promise<void> {
    const value = await handlers[name]?.();
    if (process.connected) process.send?.({ type: 'response', id, value } satisfies IpcResponse);
  }
  process.on('message', (message: unknown) => {
    if (isRequest(message)) respond(message).catch(() => undefined);
  });
}

const isRequest = (message: unknown): message is IpcRequest =>
  typeof message === 'object' && (message as { type?: unknown } | null)?.type === 'request';
