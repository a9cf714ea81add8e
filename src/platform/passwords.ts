/** Password hashing with argon2id, off the event loop. */
import { hash, verify } from '@node-rs/argon2';
import { createBoundedQueue } from './bounded-queue';

/** OWASP's first recommendation for argon2id: 19 MiB, two passes, one lane. */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** Half of the threads for DNS lookups and file reads. A job waits a second at most. */
const queue = createBoundedQueue({ atOnce: 2, waitingMax: 30 });

/**
 * PHC strings, so that stored hashes stay readable when the parameters change. Throws `rate_limited`
 * when too many wait.
 */
export const argon2Passwords = {
  hash: (password: string): Promise<string> => queue(() => hash(password, PARAMETERS)),
  verify: (phc: string, password: string): Promise<boolean> => queue(() => verify(phc, password)),
};
