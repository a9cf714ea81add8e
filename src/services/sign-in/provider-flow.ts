/** Sign-in through an identity provider. Sends people to the provider, and signs them in when they return. */
import { type ProvedIdentity, readIdentity } from '../../domain/accounts/provider-claims';
import { SIGN_IN_STEP_MS } from '../../domain/accounts/second-factor-rules';
import type { SignInRefusal } from '../../domain/accounts/sign-in-refusals';
import type { SessionOrigin, SessionProofs } from '../../models/accounts/sessions';
import type { User } from '../../models/accounts/users';
import { AppError } from '../../platform/errors';
import type { SignInProvider } from '../../platform/sign-in/provider';
import { hashToken } from '../accounts/api-key-format';
import type { RecordedChange } from '../accounts/audit-events';
import { listSignInStepCounters, takeTries } from '../accounts/login-throttle';
import type { Principal } from '../accounts/principal';
import { notifyOfChange } from '../factors/notify-of-change';
import { requireProvedPerson } from '../factors/signed-in';
import type { Dependencies } from '../ports/dependencies';
import { openSessionFor, type SignInOutcome } from '../sessions/open-session';
import { admitIdentity, connectIdentity } from './provider-people';

const SECRET_BYTES = 32;
const OVERVIEW = '/';

/** Returns the provider. Throws `not_found`. */
export function findProvider(
  { signIn }: Pick<Dependencies, 'signIn'>,
  providerId: string,
): SignInProvider {
  const provider = signIn.providers.find(({ settings }) => settings.id === providerId);
  if (provider !== undefined) return provider;
  throw new AppError('not_found', 'There is no identity provider with this id.');
}

interface Start {
  readonly providerId: string;
  /** The page to show after the sign-in, as the browser sent it. */
  readonly next: string | undefined;
  /** True if the person chose to stay signed in. */
  readonly staySignedIn: boolean;
  readonly clientIp: string;
  /** The person who connects the provider to their sign-in. null if someone signs in. */
  readonly connect: Principal | null;
}

type Started =
  | {
      readonly kind: 'redirect';
      readonly url: string;
      /** The value of a cookie. Only the browser that has this cookie can finish the sign-in. */
      readonly browserToken: string;
    }
  | { readonly kind: 'refused'; readonly reason: SignInRefusal; readonly next: string };

/**
 * Starts a sign-in. Throws `not_found` and `rate_limited`. Throws `proof_required` if a person connects a provider
 * without a recent proof.
 */
export async function startFlow(
  needs: Dependencies,
  { providerId, next: asked, staySignedIn, clientIp, connect }: Start,
): Promise<Started> {
  const { stores, clock, randomBytes, publicUrl } = needs;
  await takeTries(needs, listSignInStepCounters(clientIp));
  const provider = findProvider(needs, providerId);
  const person = connect === null ? null : (await requireProvedPerson(needs, connect)).person;
  const newSecret = () => randomBytes(SECRET_BYTES).toString('base64url');
  const secrets = { state: newSecret(), nonce: newSecret(), verifier: newSecret() };
  const next = readNext(asked, publicUrl);
  const started = await provider.start(formatRedirectUri(needs, providerId), secrets);
  if (started.kind === 'away') {
    reportFailure(needs, provider, started.reason);
    return { kind: 'refused', reason: 'provider_away', next };
  }
  const browserToken = newSecret();
  await stores.signInSteps.create({
    hash: hashFlow(browserToken, secrets.state),
    kind: 'provider',
    personId: person?.id ?? null,
    detail: {
      provider: providerId,
      nonce: secrets.nonce,
      verifier: secrets.verifier,
      next,
      staySignedIn: staySignedIn ? 'true' : null,
    },
    expiresAtMs: clock.now() + SIGN_IN_STEP_MS,
  });
  return { kind: 'redirect', url: started.url, browserToken };
}

function formatRedirectUri({ publicUrl }: Pick<Dependencies, 'publicUrl'>, id: string): string {
  return `${publicUrl}/v1/sign-in/oidc/${id}/callback`;
}

/**
 * Returns the hash under which the sign-in is stored. To find the sign-in, the request must contain both values: the
 * cookie of the browser, and the state in the URL.
 */
function hashFlow(browserToken: string, state: string): string {
  return hashToken(JSON.stringify([browserToken, state]));
}

/**
 * Returns the page to show. Only paths of this service are accepted. Otherwise, a link to the sign-in could lead to
 * another site.
 */
function readNext(asked: string | undefined, publicUrl: string): string {
  if (asked === undefined || !asked.startsWith('/') || !URL.canParse(asked, publicUrl))
    return OVERVIEW;
  const url = new URL(asked, publicUrl);
  if (url.origin !== new URL(publicUrl).origin) return OVERVIEW;
  const path = `${url.pathname}${url.search}${url.hash}`;
  // A path that starts with two slashes is refused, because browsers treat it as the name of another host.
  return path.startsWith('//') ? OVERVIEW : path;
}

interface Return {
  readonly providerId: string;
  /** Path and query of the request. */
  readonly url: string;
  /** The value of the cookie. null if the browser sent none. */
  readonly browserToken: string | null;
  /** The person who is signed in at this browser. null if no person is signed in. */
  readonly personId: string | null;
  readonly origin: SessionOrigin;
}

export type Returned =
  | {
      readonly kind: 'signed_in';
      readonly outcome: SignInOutcome;
      readonly next: string;
      readonly changes: readonly RecordedChange[];
      readonly actedAs: Pick<Principal, 'accountId' | 'actor'>;
    }
  | { readonly kind: 'connected'; readonly next: string }
  | { readonly kind: 'refused'; readonly reason: SignInRefusal; readonly next: string };

/**
 * Finishes a sign-in. Each sign-in can be finished only once. Throws `not_found` and `rate_limited`. All other problems
 * are returned as a refusal.
 */
export async function finishFlow(
  needs: Dependencies,
  { providerId, url, browserToken, personId, origin }: Return,
): Promise<Returned> {
  await takeTries(needs, listSignInStepCounters(origin.address));
  const provider = findProvider(needs, providerId);
  const callbackUrl = new URL(url, needs.publicUrl);
  const state = callbackUrl.searchParams.get('state');
  const refuse = (reason: SignInRefusal, next = OVERVIEW): Returned => ({
    kind: 'refused',
    reason,
    next,
  });
  if (browserToken === null || state === null) return refuse('flow_lost');
  const step = await needs.stores.signInSteps.take(
    'provider',
    hashFlow(browserToken, state),
    needs.clock.now(),
  );
  const { nonce, verifier, next } = step?.detail ?? {};
  if (step === null || nonce == null || verifier == null || step.detail['provider'] !== providerId)
    return refuse('flow_lost');
  const target = next ?? OVERVIEW;
  const reading = await provider.finish(callbackUrl, { state, nonce, verifier });
  if (reading.kind === 'declined') return refuse('declined', target);
  if (reading.kind !== 'claims') {
    reportFailure(needs, provider, reading.reason);
    return refuse(reading.kind === 'away' ? 'provider_away' : 'provider_refused', target);
  }
  const read = readIdentity(provider.settings.rules, reading.claims);
  if (read.kind === 'refused') return refuse(read.reason, target);
  if (step.personId !== null) {
    // Only the person who started to connect the provider may finish it.
    if (step.personId !== personId) return refuse('flow_lost', target);
    const refusal = await connectIdentity(needs, provider, { personId, identity: read.identity });
    if (refusal !== null) return refuse(refusal, target);
    const person = await needs.stores.people.find(personId);
    if (person !== null) notifyOfChange(needs, person.email, 'providerConnected');
    return { kind: 'connected', next: target };
  }
  const admitted = await admitIdentity(needs, provider, read.identity);
  if (admitted.kind === 'refused') return refuse(admitted.reason, target);
  const { user, changes } = admitted;
  const proofs = await collectProofs(needs, provider, { user, identity: read.identity });
  const staySignedIn = step.detail['staySignedIn'] === 'true';
  const outcome = await openSessionFor(needs, user, origin, { ...proofs, staySignedIn });
  const actor = { type: 'user', id: user.id, name: user.email } as const;
  const actedAs = { accountId: user.accountId, actor };
  return { kind: 'signed_in', outcome, next: target, changes, actedAs };
}

interface Admitted {
  readonly user: User;
  readonly identity: ProvedIdentity;
}

/**
 * Returns the proofs of the sign-in. Factors belong to the person and not to one account. The provider of one account
 * must therefore not allow changes of the factors of an operator or of a person in several accounts.
 */
async function collectProofs(
  { stores, clock, operatorEmails }: Dependencies,
  { settings, issuer }: SignInProvider,
  { user, identity }: Admitted,
): Promise<SessionProofs> {
  const nowMs = clock.now();
  const { providerSession, hasSecondFactor } = identity;
  const isBound = settings.accountId !== null;
  const isElsewhere =
    isBound &&
    (operatorEmails.includes(user.email) ||
      (await stores.users.listOfPerson(user.personId)).length > 1);
  return {
    provedAtMs: isElsewhere ? 0 : nowMs,
    ...(isBound && { boundTo: user.accountId }),
    issuer,
    ...(providerSession !== null && { providerSession }),
    ...(hasSecondFactor && { secondFactorAtMs: nowMs }),
  };
}

/** Logs a failure. Only the operator sees the reason, because it may describe the provider's internals. */
export function reportFailure(
  { notifyOperator }: Pick<Dependencies, 'notifyOperator'>,
  { settings }: SignInProvider,
  reason: string,
): void {
  notifyOperator(
    { provider: settings.id, reason },
    'a sign-in through an identity provider failed',
  );
}
