/** Reports to the supervisor, or on standard output, that the process is ready. */
import { notifySupervisor, type ReadyMessage } from '../base/process/process.ts';

/** Notifies the supervisor, which prints the start message once. Without a supervisor, prints where the new admin token is. */
export function notifyReady(message: ReadyMessage): void {
  if (notifySupervisor(message)) return;
  const { adminToken, adminTokenFile } = message;
  if (adminToken) process.stdout.write(`Admin token (shown once): ${adminToken}\n`);
  if (adminTokenFile) process.stdout.write(`Admin token: in ${adminTokenFile}\n`);
}
