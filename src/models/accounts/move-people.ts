/**
 * Moves a database of an earlier release, whose users had passwords, to people and members. Idempotent; several
 * processes may run it at the same time.
 */
import type { Connection } from 'mongoose';
import { unlessThere } from '../store/database-errors';

/** A document of an earlier release. */
interface OldDocument {
  readonly _id: string;
  readonly [field: string]: unknown;
}

/**
 * Creates a person for each user without one, with an id derived from the user's. Keeps passwords that were changed
 * later.
 */
export async function movePeople(connection: Connection): Promise<void> {
  const users = connection.collection<OldDocument>('users');
  const people = connection.collection<OldDocument>('people');
  const sessions = connection.collection<OldDocument>('sessions');
  const passwordTokens = connection.collection<OldDocument>('passwordTokens');
  const unmoved = users.find({ personId: { $exists: false } });
  for await (const { _id: userId, email, passwordHash = null, createdAtMs } of unmoved) {
    const draftId = userId.replace(/^usr_/, 'per_');
    await unlessThere(() => people.insertOne({ _id: draftId, email, passwordHash, createdAtMs }));
    // A newer process may have created a person with this email address already.
    const personId = (await people.findOne({ email }))?._id;
    if (personId === undefined) throw new Error(`There is no person for the user ${userId}.`);
    const ofUser = { userId, personId: { $exists: false } };
    await sessions.updateMany(ofUser, { $set: { personId } });
    // A link that the person requested belongs to the person, an admin's link to the membership.
    await passwordTokens.updateMany(
      { ...ofUser, createdBy: null },
      { $set: { personId, accountId: null, userId: null } },
    );
    await passwordTokens.updateMany(ofUser, { $set: { personId } });
    const joinedAtMs = passwordHash === null ? null : createdAtMs;
    await users.updateOne(
      { _id: userId },
      { $set: { personId, joinedAtMs }, $unset: { passwordHash: '' } },
    );
  }
}
