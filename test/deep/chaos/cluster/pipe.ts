// Passes data between two connections of a proxy.
import type { Socket } from 'node:net';

/** When one of the connections ends or fails, both are closed and `onEnd` is called, maybe more than once. */
export function pipe(near: Socket, far: Socket, onEnd: () => void): void {
  const end = () => {
    onEnd();
    near.destroy();
    far.destroy();
  };
  for (const [from, to] of [
    [near, far],
    [far, near],
  ] as const) {
    from.setNoDelay();
    from
      .on('data', (chunk) => to.write(chunk))
      .on('close', end)
      .on('error', end);
  }
}
