/** Collects the certificates that checks and runs received, for warnings and for the status. Pure. */
import type { CertificateFacts, SeenCertificate } from '../../contracts/certificates';
import type { AlertExchange, StepOutcome, TlsFacts } from '../../contracts/outcome';
import type {
  MonitorCheckRecord,
  RunFailure,
  RunStatus,
  RunStepRecord,
  ScenarioSlotRecord,
} from '../../contracts/records';
import type { StepCertificate } from '../../contracts/scenario-run';
import type { MonitorConfig, ScenarioConfig } from '../../contracts/workflows';
import { listThresholds } from '../../domain/alerting/certificate-warnings';
import { findCertificate, findRegistration } from '../../domain/health/ending-facts';
import { parseHost } from '../../domain/text/parse-host';

/** The outcome of a run, whether it passed, failed or was cancelled. */
export interface FinishedRun {
  readonly runId: string;
  readonly region: string;
  readonly status: RunStatus;
  readonly durationMs: number | null;
  readonly failure: RunFailure | null;
  readonly certificates: readonly StepCertificate[];
  /** The request and response of the failed step. */
  readonly exchange?: AlertExchange;
}

/** Returns the received certificates of each region, and the client certificates. */
export function listCheckedCertificates(
  outcomes: MonitorCheckRecord['outcomes'],
  { tlsWarnDays: warnDays }: MonitorConfig,
): readonly SeenCertificate[] {
  return outcomes.flatMap(({ region, outcome }) => {
    const seen = { step: null, region, warnDays };
    return listExpiring(outcome).map((facts) => ({ ...facts, ...seen }));
  });
}

/** Returns the received certificates of all steps of the runs, and the client certificates. */
export function listRunCertificates(
  runs: readonly FinishedRun[],
  { steps }: ScenarioConfig,
): readonly SeenCertificate[] {
  return runs.flatMap(({ region, certificates }) =>
    certificates.flatMap(({ stepIndex, ...facts }) => {
      const step = steps[stepIndex];
      if (step === undefined) return [];
      return [{ ...facts, step: step.name, region, warnDays: step.tlsWarnDays }];
    }),
  );
}

/** Returns the certificates that the steps of one run received, each from the last try of its step. */
export function listStepCertificates(steps: readonly RunStepRecord[]): readonly StepCertificate[] {
  return steps.flatMap(({ outcome }, stepIndex) => {
    return outcome === null ? [] : listExpiring(outcome).map((facts) => ({ ...facts, stepIndex }));
  });
}

/** Returns the expiry dates for the status. Returns no fields if no certificate was seen and no run passed. */
export function findCertificateDates(
  runs: readonly FinishedRun[],
  config: ScenarioConfig,
): Pick<ScenarioSlotRecord, 'tlsExpiresAtMs' | 'tlsRungs'> {
  const seen = listRunCertificates(runs, config).filter(({ client }) => client !== true);
  if (seen.length === 0 && runs.every(({ status }) => status !== 'passed')) return {};
  const expiries = seen.map(({ expiresAtMs }) => expiresAtMs);
  const tlsExpiresAtMs = expiries.length === 0 ? null : Math.min(...expiries);
  return { tlsExpiresAtMs, tlsRungs: listThresholds(seen) };
}

/** Returns everything that expires: the received certificate or the registration, and the client certificate. */
function listExpiring(outcome: StepOutcome): readonly CertificateFacts[] {
  const met = findSeen(outcome);
  return [...(met === null ? [] : [met]), ...shownIn(outcome)];
}

function shownIn(outcome: StepOutcome): readonly CertificateFacts[] {
  const { tls } = outcome;
  if (tls?.client === undefined) return [];
  const { fingerprint, issuer, expiresAt } = tls.client;
  const expiresAtMs = Date.parse(expiresAt);
  return [{ fingerprint, issuer, expiresAtMs, client: true, ...readHost(outcome) }];
}

/** Returns the received certificate or the registration. null if nothing expires, or if the expiry is unknown. */
function findSeen(outcome: StepOutcome): CertificateFacts | null {
  const registration = findRegistration(outcome);
  if (registration !== null) {
    const { domain, registrar: issuer } = registration;
    return endingAt(registration, { issuer, domain });
  }
  const certificate = findCertificate(outcome);
  return certificate && endingAt(certificate, { issuer: certificate.issuer, ...readHost(outcome) });
}

function endingAt(
  { expiresAt, fingerprint }: Pick<TlsFacts, 'expiresAt' | 'fingerprint'>,
  rest: Pick<CertificateFacts, 'issuer' | 'domain' | 'host'>,
): CertificateFacts | null {
  const expiresAtMs = Date.parse(expiresAt ?? '');
  if (fingerprint === undefined || !Number.isFinite(expiresAtMs)) return null;
  return { fingerprint, expiresAtMs, ...rest };
}

/** Returns the host that presented or requested the certificate: the last one after redirects. */
function readHost({ request, response }: StepOutcome): Pick<CertificateFacts, 'host'> {
  const host = parseHost(response?.finalUrl ?? request?.url ?? '');
  return host === null ? {} : { host };
}
