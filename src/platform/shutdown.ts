/**
 * Shuts a process down in order. The closers run one after the other, beginning with the last registered closer. All of
 * them share one deadline. An unhandled error also shuts the process down.
 */
import type { Logger } from './logger';

type Closer = () => Promise<void> | void;

export interface Shutdown {
  /** Registers a closer. Closers run in the reverse order of registration. */
  readonly onClose: (name: string, close: Closer) => void;
  /** Resolves with the exit code after everything is closed. Later calls share the promise of the first call. */
  readonly close: () => Promise<number>;
  /**
   * Closes everything and ends the process on SIGINT, on SIGTERM, and on the first unhandled error. An unhandled error
   * is logged, and the exit code is then 1.
   */
  readonly listen: () => void;
}

/**
 * Creates the shutdown. If a closer fails or the deadline passes, the exit code is 1. The deadline must be later than
 * that of the workers, and earlier than the moment at which container runtimes kill the process.
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

  /** Ends the process on unhandled errors. Node raises unhandled rejections as exceptions, too. */
  function endOnUnhandled(): void {
    let count = 0;
    process.on('uncaughtException', (error, origin) => {
      count += 1;
      if (count > 1) return;
      logger.fatal({ err: error, origin }, 'an error was not handled: the process ends');
      void close().then(() => {
        logger.fatal({ unhandledErrors: count }, 'ended after an unhandled error');
        process.exit(1);
      });
    });
  }

  function listen(): void {
    endOnUnhandled();
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.on(signal, () => {
        logger.info({ signal }, 'stopping');
        void close().then((code) => process.exit(code));
      });
    }
  }

  return { onClose: (name, closer) => closers.push({ name, close: closer }), close, listen };
}
