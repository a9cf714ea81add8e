/**
 * Migrates a database of earlier releases, in which users had passwords, and people became members before they
 * accepted. Idempotent. Several processes may run it at the same time.
 */
import type { Connection } from 'mongoose';
import { writeUnlessPresent } from '../store/database-errors';

/** A document of an earlier release. */
interface OldDocument {
  readonly _id: string;
  readonly [field: string]: unknown;
}

/**
 * Creates a person for each user that has none. The id is derived from the user's id. Passwords that were changed later
 * are kept.
 */
export async function movePeople(connection: Connection): Promise<void> {
  const users = connection.collection<OldDocument>('users');
  const people = connection.collection<OldDocument>('people');
  const sessions = connection.collection<OldDocument>('sessions');
  const passwordTokens = connection.collection<OldDocument>('passwordTokens');
  const unmoved = users.find({ personId: { $exists: false } });
  for await (const { _id: userId, email, passwordHash = null, createdAtMs } of unmoved) {
    const draftId = userId.replace(/^usr_/, 'per_');
    await writeUnlessPresent(() =>
      people.insertOne({ _id: draftId, email, passwordHash, createdAtMs }),
    );
    // A newer process may have created a person with this email address already.
    const personId = (await people.findOne({ email }))?._id;
    if (personId === undefined) throw new Error(`There is no person for the user ${userId}.`);
    const ofUser = { userId, personId: { $exists: false } };
    await sessions.updateMany(ofUser, { $set: { personId } });
    // A link that the person requested belongs to the person. A link that an admin created belongs to the
    // membership.
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
  await moveInvited(connection);
}

/**
 * Turns members who have not accepted into invitations with the same link and id. Members without a link are deleted.
 */
async function moveInvited(connection: Connection): Promise<void> {
  const users = connection.collection<OldDocument>('users');
  const invitations = connection.collection<OldDocument>('invitations');
  const passwordTokens = connection.collection<OldDocument>('passwordTokens');
  // In the filter, null also matches users without the field. The loop skips users without the field.
  const invited = users.find({ joinedAtMs: null, personId: { $exists: true } });
  for await (const { _id: userId, accountId, email, role, joinedAtMs } of invited) {
    if (joinedAtMs !== null) continue;
    const ofUser = { accountId, userId };
    const [link] = await passwordTokens.find(ofUser).sort({ createdAtMs: -1 }).limit(1).toArray();
    if (link !== undefined) {
      const { _id: hash, createdBy = null, createdAtMs, expiresAtMs } = link;
      const _id = userId.replace(/^usr_/, 'inv_');
      const times = { createdAtMs, expiresAtMs };
      const invitation = {
        _id,
        accountId,
        email,
        role,
        hash,
        createdBy,
        memberId: userId,
        ...times,
      };
      await writeUnlessPresent(() => invitations.insertOne(invitation));
    }
    await passwordTokens.deleteMany(ofUser);
    await users.deleteOne({ _id: userId, joinedAtMs: null });
  }
}
