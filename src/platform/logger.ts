/** Structured logs: one JSON line per event on standard error. A log line must never contain a secret. */
import { destination, type Logger, pino } from 'pino';

export type { Logger } from 'pino';

/** Creates a logger. Its lines contain the name of the process role. */
export function createLogger(role: string, level: string): Logger {
  return pino({ level, base: { role, pid: process.pid } }, destination({ dest: 2, sync: true }));
}
