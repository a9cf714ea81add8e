/** Registers people who sign up on their own. Nothing else is stored until a link has confirmed the email address. */
import type { Account } from '../../models/accounts/accounts';
import type { SessionOrigin } from '../../models/accounts/sessions';
import type { User } from '../../models/accounts/users';
import { AppError } from '../../platform/errors';
import type { ConfirmationBody, RegistrationBody } from '../../schemas/operator';
import type { RegistrationInvitationResponse } from '../../schemas/responses/operator';
import { buildRegistrationLink, mailLink, newLinkToken } from '../accounts/account-emails';
import { hashToken } from '../accounts/api-key-format';
import {
  listEmailCounters,
  listMailCounters,
  listTokenCounters,
  runThrottled,
  takeTries,
} from '../accounts/login-throttle';
import { refuseProblems } from '../lists/field-problems';
import { toInstant } from '../lists/instants';
import type { Dependencies } from '../ports/dependencies';
import { openSessionFor, type SignInOutcome } from './open-session';
import { provePerson } from './prove-person';

const LINK_LIFETIME_MS = 24 * 3_600_000;
const INVITATION_LIFETIME_MS = 7 * 24 * 3_600_000;
/** Used in place of an account in the limits of registration emails, because no account sends these emails. */
const SENDER = 'registration';

/**
 * Sends a link. Resolves before the address is looked up, so that callers cannot find out whether it is known. Without
 * a mail server, the link is written to the log of the service. Throws `rate_limited`. Throws `insufficient_scope` if
 * registration is not open to everyone.
 */
export async function register(
  needs: Dependencies,
  { email, accountName }: RegistrationBody,
  address: string,
): Promise<void> {
  if (needs.registration !== 'open')
    throw new AppError(
      'insufficient_scope',
      needs.registration === 'off'
        ? 'Nobody can register on this installation. Ask its operator for an account.'
        : 'Registration needs a link. Ask the operator of this installation for one.',
    );
  await takeTries(needs, listEmailCounters(address));
  sendLink(needs, { email, accountName }).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    needs.notifyOperator({ reason }, 'a registration could not be prepared');
  });
}

async function sendLink(needs: Dependencies, { email, accountName }: RegistrationBody) {
  await takeTries(needs, listMailCounters(SENDER, email));
  const { link } = await storeRegistration(needs, {
    email,
    accountName,
    lifetimeMs: LINK_LIFETIME_MS,
  });
  if (needs.mailer === null) {
    needs.notifyOperator({ email, link }, 'a person wants to register: pass this link on');
    return;
  }
  await mailLink(needs, {
    to: email,
    subject: 'Confirm your Keepwatch account',
    sentences: [
      `Someone asked to create the account "${accountName}" on Keepwatch with this email address.`,
      'Use this link within 24 hours to create it. If it was not you, ignore this message.',
    ],
    link,
  });
}

interface Offer {
  readonly email: string;
  readonly accountName: string | null;
  readonly lifetimeMs: number;
}

async function storeRegistration(needs: Dependencies, { lifetimeMs, ...offer }: Offer) {
  const { token, hash } = newLinkToken(needs);
  const createdAtMs = needs.clock.now();
  const expiresAtMs = createdAtMs + lifetimeMs;
  await needs.stores.registrations.create({ ...offer, hash, createdAtMs, expiresAtMs });
  return { link: buildRegistrationLink(needs, token), expiresAtMs };
}

/** Sends a link for an operator. Throws `limit_reached` while registration is off, and `rate_limited`. */
export async function inviteToRegister(
  needs: Dependencies,
  email: string,
): Promise<RegistrationInvitationResponse> {
  if (needs.registration === 'off')
    throw new AppError(
      'limit_reached',
      'Registration is off. Set KEEPWATCH_REGISTRATION to invite, or create the account yourself.',
    );
  if (needs.mailer !== null) await takeTries(needs, listMailCounters(SENDER, email));
  const { link, expiresAtMs } = await storeRegistration(needs, {
    email,
    accountName: null,
    lifetimeMs: INVITATION_LIFETIME_MS,
  });
  const mailed = await mailLink(needs, {
    to: email,
    subject: 'Create your Keepwatch account',
    sentences: [
      'The operator of this Keepwatch installation invites you to create an account.',
      'Use this link within 7 days:',
    ],
    link,
  });
  return { email, expiresAt: toInstant(expiresAtMs), mailed, registerUrl: mailed ? null : link };
}

interface Confirming {
  readonly body: ConfirmationBody;
  readonly origin: SessionOrigin;
  /** The session id of the request. null if the request has no session. */
  readonly sessionId: string | null;
}

/**
 * Creates the account with the person as its owner. If the person is already known to this installation, they must send
 * their password or be signed in. Only one of several parallel callers succeeds.
 */
export async function confirmRegistration(
  needs: Dependencies,
  { body, origin, sessionId }: Confirming,
): Promise<SignInOutcome> {
  const { address } = origin;
  return runThrottled(needs, listTokenCounters(address), async () => {
    const { stores, clock, newId } = needs;
    const found = await stores.registrations.findByHash(hashToken(body.token));
    if (found === null || needs.registration === 'off')
      throw new AppError(
        'invalid_token',
        'This link is not valid or has been used already. Register again, or ask for a new link.',
      );
    if (found.expiresAtMs <= clock.now())
      throw new AppError('expired_token', 'This link has expired. Register again.');
    const name = body.accountName ?? found.accountName;
    if (name === null) {
      const message = 'is required: the link names no account';
      refuseProblems([{ path: 'accountName', code: 'required', message }]);
      throw new Error('a missing name was not refused');
    }
    const { email } = found;
    const { password } = body;
    const proving = { email, role: 'owner', password, address, sessionId } as const;
    const { person, proofs } = await provePerson(needs, proving);
    if (!(await stores.registrations.consume(found.hash)))
      throw new AppError('invalid_token', 'This link has been used already. Sign in.');
    const createdAtMs = clock.now();
    // If a session has proved the person, the link does not confirm the address, because someone else may have set the
    // password or added factors before.
    if (proofs.provedAtMs === undefined) await stores.people.confirmEmail(person.id, createdAtMs);
    const account: Account = { id: newId('account'), name, plan: needs.defaultPlan, createdAtMs };
    await stores.accounts.create(account);
    const user: User = {
      id: newId('user'),
      accountId: account.id,
      personId: person.id,
      email,
      role: 'owner',
      createdAtMs,
      joinedAtMs: createdAtMs,
    };
    await stores.users.create(account.id, user);
    await stores.people.ensure(person);
    return openSessionFor(needs, user, origin, proofs);
  });
}
