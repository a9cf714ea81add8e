/** Verifies second factors: codes of authenticator apps, recovery codes and passkeys. A proof can be used only once. */
import { codeAppContext } from '../../contracts/seal-contexts';
import type { FactorMethod } from '../../domain/accounts/second-factor-rules';
import { AppError } from '../../platform/errors';
import { findCodeStep } from '../../platform/sign-in/one-time-codes';
import type { FactorProof } from '../../schemas/sign-in/bodies';
import { listFactorCounters, runThrottled } from '../accounts/login-throttle';
import type { Dependencies } from '../ports/dependencies';
import { verifyPasskey } from './passkey-challenges';
import { hashRecoveryCode } from './recovery-codes';

/**
 * Lists the methods with which the person can prove a second factor. Empty if the person has no second factor. A
 * passkey is listed even if passkeys do not work on this installation, because a password alone must not be enough.
 */
export async function listMethods(
  { stores }: Pick<Dependencies, 'stores'>,
  personId: string,
): Promise<readonly FactorMethod[]> {
  const [app, passkeys, recoveryCodes] = await Promise.all([
    stores.codeApps.find(personId),
    stores.passkeys.listForPerson(personId),
    stores.recoveryCodes.count(personId),
  ]);
  const methods: FactorMethod[] = [];
  if (app !== null) methods.push('code');
  if (passkeys.length > 0) methods.push('passkey');
  if (methods.length > 0 && recoveryCodes > 0) methods.push('recoveryCode');
  return methods;
}

interface Verifying {
  readonly personId: string;
  readonly proof: FactorProof;
  readonly clientIp: string;
}

/**
 * Verifies a proof and returns its method. Throws `invalid_token` for a wrong proof, and `rate_limited` after many
 * wrong proofs.
 */
export async function verifyFactor(
  needs: Dependencies,
  { personId, proof, clientIp }: Verifying,
): Promise<FactorMethod> {
  return runThrottled(needs, listFactorCounters(personId, clientIp), async () => {
    if (proof.code !== undefined) {
      if (await isFreshCode(needs, personId, proof.code)) return 'code';
      throw wrong(
        'This code is wrong, has expired or has been used. Enter the newest one.',
        personId,
      );
    }
    if (proof.recoveryCode !== undefined) {
      const hash = hashRecoveryCode(personId, proof.recoveryCode);
      if (await needs.stores.recoveryCodes.use(personId, hash)) return 'recoveryCode';
      throw wrong('This recovery code is wrong or has been used.', personId);
    }
    const verified = await verifyPasskey(needs, { proof: proof.passkey, mustVerifyUser: false });
    if (verified?.personId === personId) return 'passkey';
    throw wrong('This passkey was not accepted. Try again.', personId);
  });
}

function wrong(message: string, about: string): AppError {
  return new AppError('invalid_token', message, { about });
}

async function isFreshCode(
  { stores, sealers, clock }: Dependencies,
  personId: string,
  code: string,
): Promise<boolean> {
  const app = await stores.codeApps.find(personId);
  if (app === null) return false;
  const secret = sealers.stored.open(app.sealed, codeAppContext(personId));
  const step = findCodeStep(secret, code, clock.now());
  return step !== null && stores.codeApps.takeStep(personId, step);
}
