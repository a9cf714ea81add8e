/** Lists the factors of the signed-in person, and sets up authenticator apps and recovery codes. */
import { codeAppContext } from '../../contracts/seal-contexts';
import {
  hasFactor,
  RECENT_PROOF_MS,
  SIGN_IN_STEP_MS,
} from '../../domain/accounts/second-factor-rules';
import { AppError } from '../../platform/errors';
import {
  createCodeSecret,
  findCodeStep,
  formatCodeUri,
} from '../../platform/sign-in/one-time-codes';
import type { AddedCodeApp, FactorsResponse, NewCodeApp } from '../../schemas/responses/sign-in';
import { hashToken } from '../accounts/api-key-format';
import { listFactorCounters, runThrottled } from '../accounts/login-throttle';
import type { Principal } from '../accounts/principal';
import { toInstant } from '../lists/instants';
import type { Dependencies } from '../ports/dependencies';
import { notifyOfChange } from './notify-of-change';
import { presentPasskey } from './own-passkeys';
import { replaceRecoveryCodes } from './recovery-codes';
import { readWays } from './sign-in-ways';
import { finishFactor, removeWay, requirePerson, requireProvedPerson } from './signed-in';

const TOKEN_BYTES = 32;

export async function listFactors(
  needs: Dependencies,
  principal: Principal,
): Promise<FactorsResponse> {
  const { stores, signIn } = needs;
  const { person, session } = await requirePerson(needs, principal);
  const [ways, app, recoveryCodesLeft, passkeys, identities, account] = await Promise.all([
    readWays(needs, person),
    stores.codeApps.find(person.id),
    stores.recoveryCodes.count(person.id),
    stores.passkeys.listForPerson(person.id),
    stores.identities.listForPerson(person.id),
    stores.accounts.find(principal.accountId),
  ]);
  const { provedAtMs } = session;
  return {
    hasPassword: ways.hasPassword,
    codeApp: app === null ? null : { createdAt: toInstant(app.createdAtMs) },
    recoveryCodesLeft,
    passkeys: passkeys.map(presentPasskey),
    passkeysAvailable: signIn.passkeys.isAvailable,
    identities: identities.map(({ issuer, createdAtMs, lastUsedAtMs }) => {
      const settings = signIn.providers.find((one) => one.issuer === issuer)?.settings;
      const times = { createdAt: toInstant(createdAtMs), lastUsedAt: toInstant(lastUsedAtMs) };
      return { provider: settings?.id ?? null, name: settings?.name ?? issuer, ...times };
    }),
    isSecondFactorRequired: account?.requireSecondFactor === true,
    provedUntil: provedAtMs === undefined ? null : toInstant(provedAtMs + RECENT_PROOF_MS),
  };
}

/**
 * Creates the secret of a new app. The new app replaces the current app when its first code is confirmed
 * (`confirmCodeApp`).
 */
export async function startCodeApp(needs: Dependencies, principal: Principal): Promise<NewCodeApp> {
  const { person } = await requireProvedPerson(needs, principal);
  const { stores, sealers, clock, randomBytes } = needs;
  const secret = createCodeSecret(randomBytes);
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const expiresAtMs = clock.now() + SIGN_IN_STEP_MS;
  await stores.signInSteps.create({
    hash: hashToken(token),
    kind: 'new_app',
    personId: person.id,
    detail: { sealed: sealers.stored.seal(secret, codeAppContext(person.id)) },
    expiresAtMs,
  });
  const uri = formatCodeUri(secret, person.email);
  return { token, secret, uri, expiresAt: toInstant(expiresAtMs) };
}

interface Confirming {
  readonly token: string;
  readonly code: string;
  readonly clientIp: string;
}

/**
 * Replaces the person's app, and ends all other sessions. Returns new recovery codes if the person has none yet. Throws
 * `invalid_token` for a wrong code or an unknown token.
 */
export async function confirmCodeApp(
  needs: Dependencies,
  principal: Principal,
  { token, code, clientIp }: Confirming,
): Promise<AddedCodeApp> {
  const { person, session } = await requireProvedPerson(needs, principal);
  const { stores, sealers, clock } = needs;
  const nowMs = clock.now();
  await runThrottled(needs, listFactorCounters(person.id, clientIp), async () => {
    const step = await stores.signInSteps.find('new_app', hashToken(token), nowMs);
    const found = step?.personId === person.id ? (step.detail['sealed'] ?? null) : null;
    const secret = found === null ? null : sealers.stored.open(found, codeAppContext(person.id));
    const at = secret === null ? null : findCodeStep(secret, code, nowMs);
    if (found === null || at === null)
      throw new AppError(
        'invalid_token',
        'This code is wrong or has expired. Enter the newest one.',
      );
    await stores.codeApps.save({
      personId: person.id,
      sealed: found,
      createdAtMs: nowMs,
      lastStep: at,
    });
    await stores.signInSteps.take('new_app', hashToken(token), nowMs);
  });
  const recoveryCodes = await finishFactor(needs, person.id, session.hash);
  notifyOfChange(needs, person.email, 'appAdded');
  return { createdAt: toInstant(nowMs), recoveryCodes };
}

/**
 * Removes the app. Throws `not_found` if the person has no app. Throws `in_use` if an account of the person requires
 * the app as a second factor.
 */
export async function removeCodeApp(needs: Dependencies, principal: Principal): Promise<void> {
  const { person } = await requireProvedPerson(needs, principal);
  const { codeApps } = needs.stores;
  const app = await codeApps.find(person.id);
  if (app === null) throw new AppError('not_found', 'You have no authenticator app to remove.');
  const before = await readWays(needs, person);
  await removeWay(needs, person, {
    before,
    after: { ...before, hasCodeApp: false },
    remove: () => codeApps.remove(person.id),
    restore: () => codeApps.save(app),
  });
  notifyOfChange(needs, person.email, 'appRemoved');
}

/** Replaces the recovery codes. Earlier codes stop working. Throws `not_found` for a person without a second factor. */
export async function renewRecoveryCodes(
  needs: Dependencies,
  principal: Principal,
): Promise<readonly string[]> {
  const { person } = await requireProvedPerson(needs, principal);
  if (!hasFactor(await readWays(needs, person)))
    throw new AppError('not_found', 'You have no second factor yet. Add one first.');
  const codes = await replaceRecoveryCodes(needs, person.id);
  notifyOfChange(needs, person.email, 'recoveryCodesRenewed');
  return codes;
}
