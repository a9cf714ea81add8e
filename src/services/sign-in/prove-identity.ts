/** Proves the person's identity again within a session. People must do this before they change their factors. */
import { AppError } from '../../platform/errors';
import type { ProofBody } from '../../schemas/sign-in/bodies';
import { listLoginCounters, runThrottled } from '../accounts/login-throttle';
import type { Principal } from '../accounts/principal';
import { isPasswordAllowed } from '../factors/sign-in-ways';
import { requirePerson } from '../factors/signed-in';
import { verifyFactor } from '../factors/verify-factor';
import type { Dependencies } from '../ports/dependencies';
import { verifyPassword } from '../sessions/open-session';

/** Proves the identity. Throws `invalid_token` for a wrong proof, and `rate_limited` after many wrong proofs. */
export async function proveIdentity(
  needs: Dependencies,
  principal: Principal,
  { body, clientIp }: { readonly body: ProofBody; readonly clientIp: string },
): Promise<void> {
  const { person, session } = await requirePerson(needs, principal);
  const { password, ...proof } = body;
  const provedAtMs = needs.clock.now();
  if (password === undefined) {
    await verifyFactor(needs, { personId: person.id, proof, clientIp });
    await needs.stores.sessions.prove(session.hash, { provedAtMs, secondFactorAtMs: provedAtMs });
    return;
  }
  await runThrottled(needs, listLoginCounters(person.email, clientIp), async () => {
    const isRight = await verifyPassword(needs, person, password);
    if (isRight && (await isPasswordAllowed(needs, person.id))) return;
    throw new AppError('invalid_token', 'Wrong password.', { about: person.id });
  });
  await needs.stores.sessions.prove(session.hash, { provedAtMs });
}
