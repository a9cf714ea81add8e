/**
 * `npm run doctor -- owner-link` prints a link that lets an owner sign in once, even if the normal sign-in does not
 * work.
 */
import { randomBytes } from 'node:crypto';
import { createIdMaker } from '../domain/definitions/ids';
import { createStores, type Database, readServerTime } from '../models';
import { createSharedClock, startSynchronizing } from '../platform/shared-clock';
import { createOwnerLink } from '../services/sign-in/owner-link';

interface Wish {
  readonly publicUrl: string;
  /** The email address of the owner. null means the oldest owner. */
  readonly email: string | null;
}

/** Returns the text to print. Throws AppError `not_found` if there is no such owner. */
export async function describeOwnerLink(
  database: Database,
  { publicUrl, email }: Wish,
): Promise<string> {
  const clock = createSharedClock();
  // The link must use the database's clock, because the service compares its expiry with that
  // clock.
  const stopSync = await startSynchronizing(clock, () => readServerTime(database));
  try {
    const link = await createOwnerLink(
      {
        stores: createStores(database, clock),
        clock,
        newId: createIdMaker(() => clock.now(), randomBytes),
        randomBytes,
        publicUrl,
        notifyOperator: (facts, sentence) =>
          process.stderr.write(`${sentence}: ${JSON.stringify(facts)}\n`),
      },
      email,
    );
    return `Open this link within 15 minutes to sign in as ${link.email}. It works once.\n${link.url}\n`;
  } finally {
    stopSync();
  }
}
