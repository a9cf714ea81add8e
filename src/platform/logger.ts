/** Structured logs: one JSON line per event on standard error. Never log a secret. */
import { destination, type Logger, pino } from 'pino';

export type { Logger } from 'pino';

/** A logger whose lines carry the name of the process role. */
export function createLogger(role: string, level: string): Logger {
  return pino({ level, base: { role, pid: process.pid } }, destination({ dest: 2, sync: true }));
}
