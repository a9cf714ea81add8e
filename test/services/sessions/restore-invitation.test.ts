/** Tests that an invitation whose member could not be stored is stored again, even some time later. */
import type { Invitation } from '../../../src/models/accounts/invitations';
import type { User } from '../../../src/models/accounts/users';
import { restoreInvitation } from '../../../src/services/sessions/accept-invitation';

const NOW_MS = 1_000;
const INVITED: Invitation = {
  id: 'inv_1',
  accountId: 'acc_1',
  email: 'mia@example.com',
  role: 'admin',
  hash: 'h1',
  createdAtMs: 0,
  expiresAtMs: NOW_MS + 1,
};
const MEMBER: User = {
  id: 'usr_1',
  accountId: 'acc_1',
  personId: 'per_1',
  email: INVITED.email,
  role: 'viewer',
  createdAtMs: 0,
  joinedAtMs: 0,
};

/** Restores the invitation. `stored` and `member` are in the database before. Returns the invitations afterwards. */
async function restored(stored: readonly Invitation[], member: User | null) {
  const invitations = [...stored];
  const stores = {
    invitations: {
      create: async (_accountId: string, invitation: Invitation) =>
        void invitations.splice(0, invitations.length, invitation),
      findByEmail: async () => invitations[0] ?? null,
    },
    users: { findByEmail: async () => member },
  };
  await restoreInvitation({ stores, clock: { now: () => NOW_MS } }, INVITED);
  return invitations;
}

test('a removed invitation is restored if the person is not a member and has no other invitation', async () => {
  expect(await restored([], null)).toEqual([INVITED]);
});

test('an invitation is not restored if the person has become a member', async () => {
  expect(await restored([], MEMBER)).toEqual([]);
});

test('a restored invitation does not replace an invitation that was changed or sent in the meantime', async () => {
  const changed = { ...INVITED, role: 'viewer' } as const;
  expect(await restored([changed], null)).toEqual([changed]);
});
