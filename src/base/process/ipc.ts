/**
 * Requests of a parent process to its children over IPC, such as for their metrics.
 *
 * Promises: a request ends within its limit, also when the child hangs or ends.
 */
import type { ChildProcess } from 'node:child_process';

type IpcRequest = { readonly type: 'request'; readonly id: number; readonly name: string };
type IpcResponse = { readonly type: 'response'; readonly id: number; readonly value: unknown };

const isMessage = (message: unknown, type: string): boolean =>
  typeof message === 'object' && (message as { type?: unknown } | null)?.type === type;

/** Responds to the requests of the parent, by name. A request that fails, or has another name, gets no response. */
export function handleIpcRequests(handlers: Readonly<Record<string, () => unknown>>): void {
  async function respond({ id, name }: IpcRequest): Promise<void> {
    const value = await handlers[name]?.();
    if (process.connected) process.send?.({ type: 'response', id, value } satisfies IpcResponse);
  }
  process.on('message', (message: unknown) => {
    if (isMessage(message, 'request')) respond(message as IpcRequest).catch(() => undefined);
  });
}

/** Resolves to the response; undefined when there is none within the limit. The child promises the type. */
export function sendIpcRequest<Value>(
  child: ChildProcess,
  name: string,
  withinMs: number,
): Promise<Value | undefined> {
  return new Promise((resolve) => {
    const id = nextId();
    function settle(value?: Value): void {
      clearTimeout(timer);
      child.off('message', onMessage);
      resolve(value);
    }
    function onMessage(message: unknown): void {
      if (isMessage(message, 'response') && (message as IpcResponse).id === id)
        settle((message as IpcResponse).value as Value);
    }
    const timer = setTimeout(() => settle(), withinMs);
    if (!child.connected) return settle();
    child.on('message', onMessage);
    child.send({ type: 'request', id, name } satisfies IpcRequest, (error) => {
      if (error) settle();
    });
  });
}

let lastId = 0;
const nextId = () => (lastId += 1);
