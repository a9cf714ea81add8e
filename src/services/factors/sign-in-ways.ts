/** The ways in which a person can sign in, and the policy on passwords. */

import type { MemberRole } from '../../domain/accounts/roles';
import { canSignIn, hasFactor, type SignInWays } from '../../domain/accounts/second-factor-rules';
import type { Person } from '../../models/accounts/people';
import { AppError } from '../../platform/errors';
import type { Dependencies } from '../ports/dependencies';

type Needs = Pick<Dependencies, 'stores' | 'signIn'>;

/**
 * Reads the person's ways to sign in. Leaves out passwords, identities and passkeys that this installation does not
 * accept.
 */
export async function readWays(
  needs: Needs,
  person: Pick<Person, 'id' | 'passwordHash'>,
): Promise<SignInWays> {
  const { stores, signIn } = needs;
  const [identities, passkeys, app, mayUsePassword] = await Promise.all([
    stores.identities.listForPerson(person.id),
    stores.passkeys.listForPerson(person.id),
    stores.codeApps.find(person.id),
    isPasswordAllowed(needs, person.id),
  ]);
  const issuers = new Set(signIn.providers.map(({ issuer }) => issuer));
  return {
    hasPassword: person.passwordHash !== null && mayUsePassword,
    identities: identities.filter(({ issuer }) => issuers.has(issuer)).length,
    passkeys: signIn.passkeys.isAvailable ? passkeys.length : 0,
    hasCodeApp: app !== null,
  };
}

/** True if the policy lets the person sign in with a password. */
export async function isPasswordAllowed(
  { stores, signIn }: Needs,
  personId: string,
): Promise<boolean> {
  if (signIn.passwords !== 'owners') return signIn.passwords === 'on';
  const memberships = await stores.users.listOfPerson(personId);
  return memberships.some(({ role }) => role === 'owner');
}

/** Throws `passwords_off` if the policy allows no passwords. */
export function requirePasswordsOn({ signIn }: Pick<Dependencies, 'signIn'>): void {
  if (signIn.passwords !== 'off') return;
  throw new AppError(
    'passwords_off',
    'This installation does not accept passwords. Sign in with an identity provider or a passkey.',
  );
}

/** Throws `passwords_off` if a member with this role may not sign in with a password. */
export function requireUsablePassword(needs: Pick<Dependencies, 'signIn'>, role: MemberRole): void {
  requirePasswordsOn(needs);
  if (needs.signIn.passwords === 'on' || role === 'owner') return;
  throw new AppError(
    'passwords_off',
    'Only owners sign in with a password here. Sign in with an identity provider to join.',
  );
}

/**
 * Throws `in_use` if the change removes the person's last way to sign in, or the last second factor while an account
 * requires a second factor.
 */
export async function requireWayLeft(
  { stores }: Needs,
  personId: string,
  { before, after }: { readonly before: SignInWays; readonly after: SignInWays },
): Promise<void> {
  if (canSignIn(before) && !canSignIn(after))
    throw new AppError(
      'in_use',
      'This is your last way to sign in. Add another passkey, provider or password first.',
    );
  if (!hasFactor(before) || hasFactor(after)) return;
  const memberships = await stores.users.listOfPerson(personId);
  const accounts = await Promise.all(
    memberships.map(({ accountId }) => stores.accounts.find(accountId)),
  );
  if (accounts.some((account) => account?.requireSecondFactor === true))
    throw new AppError(
      'in_use',
      'Your account requires a second factor, and this is your last one. Add another one first.',
    );
}
