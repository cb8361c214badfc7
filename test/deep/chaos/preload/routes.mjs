// Connects to other ports than the process asks for: `CHAOS_ROUTES` maps a port to that of the process's own proxy.
import { Socket } from 'node:net';

/** @type {Record<string, number>} */
const routes = JSON.parse(process.env.CHAOS_ROUTES ?? '{}');
/** @type {(...args: any[]) => Socket} */
const connect = Reflect.get(Socket.prototype, 'connect');

/** @this {Socket} @param {any[]} args the options, or Node's own list with the options first */
function connectToProxy(...args) {
  const options = Array.isArray(args[0]) ? args[0][0] : args[0];
  const port = routes[options?.port];
  if (port !== undefined) options.port = port;
  return Reflect.apply(connect, this, args);
}

if (process.env.CHAOS_ROUTES !== undefined) {
  Socket.prototype.connect = connectToProxy;
}
