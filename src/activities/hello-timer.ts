/** Tells the API regularly that this probe is there, so that people see which regions run. */
import { PROBE_HELLO_EVERY_MS, type ProbeHello } from '../contracts/probe-protocol';
import type { Logger } from '../platform/logger';
import type { HubChannel } from './hub-channel';

/** Says hello at once and then regularly, until the returned function is called. */
export function startHello(
  { sayHello }: Pick<HubChannel, 'sayHello'>,
  hello: ProbeHello,
  logger: Logger,
): () => void {
  const say = (): void => {
    sayHello(hello).catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error);
      logger.warn({ reason }, 'could not say hello to the API');
    });
  };
  say();
  const timer = setInterval(say, PROBE_HELLO_EVERY_MS);
  return () => clearInterval(timer);
}
