/**
 * Orderly end of a process: closers run one after the other, last registered first, within one
 * deadline. It decides nothing about what must be closed.
 */
import type { Logger } from './logger';

type Closer = () => Promise<void> | void;

export interface Shutdown {
  /** Registers what to close; closers run in reverse order of registration. */
  readonly onClose: (name: string, close: Closer) => void;
  /** Resolves with the exit code once everything is closed; later calls share the first one. */
  readonly close: () => Promise<number>;
  /** Closes on SIGINT and SIGTERM and then ends the process. */
  readonly listen: () => void;
}

/**
 * Closers that fail or outlast `deadlineMs` together are logged and make the exit code 1. The deadline is for
 * what hangs: it leaves a busy machine time after the workers' own, and ends before container runtimes kill.
 */
export function createShutdown(logger: Logger, deadlineMs = 25_000): Shutdown {
  const closers: { name: string; close: Closer }[] = [];
  let closing: Promise<number> | undefined;
  let underWay: string | undefined;

  async function runAll(): Promise<number> {
    let code = 0;
    for (const { name, close } of closers.reverse()) {
      underWay = name;
      try {
        await close();
      } catch (error) {
        logger.error({ err: error, closing: name }, 'could not close cleanly');
        code = 1;
      }
    }
    return code;
  }

  function close(): Promise<number> {
    closing ??= Promise.race([
      runAll(),
      new Promise<number>((resolve) => {
        const giveUp = () => {
          logger.error({ closing: underWay, deadlineMs }, 'did not close in time');
          resolve(1);
        };
        setTimeout(giveUp, deadlineMs).unref();
      }),
    ]);
    return closing;
  }

  function listen(): void {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.on(signal, () => {
        logger.info({ signal }, 'stopping');
        void close().then((code) => process.exit(code));
      });
    }
  }

  return { onClose: (name, closer) => closers.push({ name, close: closer }), close, listen };
}
