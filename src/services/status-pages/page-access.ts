/**
 * Decides who may see a status page: everyone, visitors with its password, members, or visitors from certain networks.
 * Stores only a hash of the password.
 */
import { pagePassContext } from '../../contracts/seal-contexts';
import type { StatusPageAccess } from '../../contracts/status-pages';
import type { FieldChange } from '../../domain/definitions/field-changes';
import type { StatusPage } from '../../models/status-pages/status-pages';
import { isInNetworks } from '../../platform/client-network';
import { AppError } from '../../platform/errors';
import { openOrNull } from '../../platform/sealing';
import type { AccessBody } from '../../schemas/status-pages/access';
import { delayResponse, listLoginCounters, runThrottled } from '../accounts/login-throttle';
import type { Dependencies } from '../ports/dependencies';

/** How long an entered password stays valid in one browser. */
export const PASS_LIFETIME_MS = 7 * 86_400_000;

/**
 * Returns the access rules to store, with a hash of the password. If the password is unchanged or omitted, keeps the
 * stored hash. Throws if the password is omitted and no hash is stored.
 */
export async function toStoredAccess(
  { passwords }: Pick<Dependencies, 'passwords'>,
  body: AccessBody,
  stored: StatusPageAccess | null,
): Promise<StatusPageAccess> {
  if (body.type !== 'password') return body;
  const { type, password } = body;
  const kept = stored?.type === 'password' ? stored : null;
  if (kept !== null) {
    if (password === undefined) return kept;
    if (await passwords.verify(kept.passwordHash, password)) return kept;
  }
  if (password === undefined) throw noPassword();
  return { type, passwordHash: await passwords.hash(password) };
}

function noPassword(): AppError {
  const message = 'is required; the page has none yet';
  return new AppError('validation_failed', `access.password ${message}.`, {
    errors: [{ path: 'access.password', code: 'required', message }],
  });
}

export function presentAccess(access: StatusPageAccess) {
  return access.type === 'ips'
    ? { type: access.type, ranges: [...access.ranges] }
    : { type: access.type };
}

/**
 * Lists a change of the password, for a plan. Responses hide passwords, so comparing responses would not show the
 * change.
 */
export function listHiddenAccessChanges(
  before: StatusPageAccess,
  after: StatusPageAccess,
): readonly FieldChange[] {
  if (before.type !== 'password' || after.type !== 'password') return [];
  if (before.passwordHash === after.passwordHash) return [];
  return [{ path: 'access.password', before: '(hidden)', after: '(another value)' }];
}

interface Visitor {
  readonly clientIp: string;
  /** The pass that `enterPassword` returned. null if the visitor has none. */
  readonly pass: string | null;
}

type Needs = Pick<Dependencies, 'sealers' | 'clock'>;

/** Returns true if a visitor who is not signed in may see the page. */
export function mayVisit(
  { sealers, clock }: Needs,
  { id, access }: StatusPage,
  { clientIp, pass }: Visitor,
): boolean {
  switch (access.type) {
    case 'public':
      return true;
    case 'members':
      return false;
    case 'ips':
      return isInNetworks(clientIp, access.ranges);
    case 'password': {
      if (pass === null) return false;
      const context = pagePassContext(id, access.passwordHash);
      return Number(openOrNull(sealers.stored, pass, context) ?? 0) > clock.now();
    }
  }
}

/**
 * Returns a pass for one browser. The pass opens the page until the password changes or the pass expires. Throws
 * `invalid_token` for a wrong password, and `rate_limited` for too many attempts.
 */
export async function enterPassword(
  needs: Dependencies,
  { id, access }: StatusPage,
  { password, clientIp }: { readonly password: string; readonly clientIp: string },
): Promise<string> {
  const { passwords, sealers, clock } = needs;
  if (access.type !== 'password') throw new AppError('not_found', 'This page has no password.');
  const { passwordHash } = access;
  const whose = `page:${id}`;
  await runThrottled(needs, listLoginCounters(whose, clientIp), async () => {
    if (await passwords.verify(passwordHash, password)) return;
    await delayResponse(needs, whose);
    throw new AppError('invalid_token', 'Wrong password.', { about: id });
  });
  const untilMs = clock.now() + PASS_LIFETIME_MS;
  return sealers.stored.seal(`${untilMs}`, pagePassContext(id, passwordHash));
}
