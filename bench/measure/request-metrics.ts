import type { ChildProcess } from 'node:child_process';

let lastId = 0;

/** Asks a measured process for its metrics over IPC. Rejects when there is no response within the limit. */
export function requestMetrics<Metrics>(child: ChildProcess, withinMs: number): Promise<Metrics> {
  lastId += 1;
  const id = lastId;
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      child.off('message', onMessage);
      reject(new Error('A measured process did not send its metrics in time.'));
    }, withinMs);
    function onMessage(message: unknown): void {
      const { type, id: of, value } = message as { type?: string; id?: number; value?: Metrics };
      if (type !== 'response' || of !== id) return;
      clearTimeout(timer);
      child.off('message', onMessage);
      resolve(value as Metrics);
    }
    child.on('message', onMessage);
    child.send({ type: 'request', id, name: 'metrics' });
  });
}
