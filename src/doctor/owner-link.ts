/** `npm run doctor -- owner-link`: prints a link that lets an owner in once, whatever is wrong with the sign-in. */
import { randomBytes } from 'node:crypto';
import { createIdMaker } from '../domain/definitions/ids';
import { createStores, type Database, readServerTime } from '../models';
import { createSharedClock, keepInStep } from '../platform/shared-clock';
import { createOwnerLink } from '../services/sign-in/owner-link';

interface Wish {
  readonly publicUrl: string;
  /** null means the oldest owner. */
  readonly email: string | null;
}

/** The text to print. Throws AppError `not_found` without such an owner. */
export async function describeOwnerLink(
  database: Database,
  { publicUrl, email }: Wish,
): Promise<string> {
  const clock = createSharedClock();
  // The service uses the database's clock, so the link must, too.
  const letGo = await keepInStep(clock, () => readServerTime(database));
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
    letGo();
  }
}
