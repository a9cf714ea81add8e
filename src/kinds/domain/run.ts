/**
 * Runs one domain check: whether the domain is registered, and until when. If no registry responds, the result is
 * unknown, never down.
 */
import { createHash } from 'node:crypto';
import { StepFailure } from '../../checks/step-failure';
import type { DomainSettings } from '../../contracts/kinds';
import type { AssertionOutcome } from '../../contracts/outcome';
import { judge } from '../judge';
import type { Probing } from '../probing';
import { createDomainRegistry, type DomainFinding, type RegistryNeeds } from './ask';
import type { Registration } from './output';

const DAY_MS = 86_400_000;
/** Time between the end of the request and the deadline of the check. */
const SPARE_MS = 100;
/** Statuses of domains that no longer work, or that anyone can soon register. */
const BAD_STATUSES: readonly string[] = [
  'client hold',
  'server hold',
  'redemption period',
  'pending delete',
];

type RunDomain = (settings: DomainSettings, probing: Probing) => Promise<void>;

/** Creates the function that runs the check. All checks of a process share the cached findings of registries. */
export function createRunDomain(needs: RegistryNeeds): RunDomain {
  const registry = createDomainRegistry(needs);
  return async ({ host }, probing) => {
    const { deadline, clock } = probing;
    clock.enter('ttfb');
    const limitMs = Math.max(1, deadline.remainingMs() - SPARE_MS);
    const finding = await deadline.within(registry.ask(host, limitMs), () => undefined);
    if (finding.kind === 'unknown')
      throw new StepFailure('registry_unavailable', finding.reason, null);
    report(host, finding, probing);
  };
}

type Known = Exclude<DomainFinding, { readonly kind: 'unknown' }>;

function report(host: string, finding: Known, { found }: Probing): void {
  found.remoteIp = finding.remoteIp;
  found.measuredMs = finding.tookMs;
  const isRegistered = finding.kind === 'registered';
  const registered = judge({
    type: 'body',
    target: 'registered',
    operator: 'equals',
    ok: isRegistered,
    actual: isRegistered,
    expected: true,
    message: isRegistered
      ? 'The domain is registered.'
      : `The registry does not know ${host}. Enter the domain as it is registered, without www.`,
  });
  found.assertions = [registered];
  if (!isRegistered) return;
  const { registration, askedAtMs } = finding;
  found.response = describe(registration, askedAtMs);
  found.bytes = Buffer.byteLength(found.response);
  const { expiresAtMs, registrar, statuses } = registration;
  if (expiresAtMs === null) {
    const message = 'The registry does not report when the registration ends.';
    throw new StepFailure('registry_unavailable', message, null);
  }
  const expiresAt = new Date(expiresAtMs).toISOString();
  found.assertions = [registered, ...judgeRegistration(registration, expiresAtMs)];
  const daysUntilExpiry = Math.floor((expiresAtMs - Date.now()) / DAY_MS);
  found.facts = { expiresAt, daysUntilExpiry, statuses: [...statuses] };
  const fingerprint = createHash('sha256').update(`${host} ${expiresAt}`).digest('hex');
  found.registration = { domain: host, registrar, expiresAt, fingerprint };
}

function judgeRegistration({ statuses }: Registration, expiresAtMs: number): AssertionOutcome[] {
  const days = Math.floor((expiresAtMs - Date.now()) / DAY_MS);
  const bad = statuses.filter((status) => BAD_STATUSES.includes(status));
  return [
    judge({
      type: 'body',
      target: 'daysUntilExpiry',
      operator: 'greaterThanOrEqual',
      ok: days >= 0,
      actual: days,
      expected: 0,
      message: days < 0 ? 'The registration has ended.' : `The registration ends in ${days} days.`,
    }),
    judge({
      type: 'body',
      target: 'status',
      operator: 'notIn',
      ok: bad.length === 0,
      actual: [...statuses],
      expected: [...BAD_STATUSES],
      message:
        bad.length === 0
          ? 'The registry has not withdrawn the domain.'
          : `The status of the domain is ${bad.join(', ')}.`,
    }),
  ];
}

function describe({ expiresAtMs, registrar, statuses }: Registration, askedAtMs: number): string {
  const lines = [
    ...(expiresAtMs === null ? [] : [`expires    ${new Date(expiresAtMs).toISOString()}`]),
    ...(registrar === null ? [] : [`registrar  ${registrar}`]),
    ...statuses.map((status) => `status     ${status}`),
    `asked      ${new Date(askedAtMs).toISOString()}`,
  ];
  return `${lines.join('\n')}\n`;
}
