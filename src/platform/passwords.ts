/** Hashes passwords with argon2id, outside the thread of the event loop. */
import { hash, verify } from '@node-rs/argon2';
import { createBoundedQueue } from './bounded-queue';

/** OWASP's first recommendation for argon2id: 19 MiB, two passes, one thread. */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/**
 * Hashing uses the same threads as DNS lookups and file reads, so it may use at most half of them. A job waits a second
 * at most.
 */
const queue = createBoundedQueue({ atOnce: 2, waitingMax: 30 });

/**
 * Hashes and verifies passwords. Hashes are PHC strings, which contain their parameters: stored hashes stay valid when
 * the parameters change. Throws `rate_limited` if too many jobs wait.
 */
export const argon2Passwords = {
  hash: (password: string): Promise<string> => queue(() => hash(password, PARAMETERS)),
  verify: (phc: string, password: string): Promise<boolean> => queue(() => verify(phc, password)),
};
