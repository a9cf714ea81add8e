/** Converts the body of a scenario to its stored fields. */
import { isNetworkStep, type ScenarioStep } from '../../contracts/definition';
import { listStepUrls, listTokenUrls, toStoredAuth } from '../../domain/definitions/auth';
import { toStoredProxy } from '../../domain/definitions/proxy';
import { toStoredVersions } from '../../domain/definitions/shared-options';
import { toStoredTls } from '../../domain/definitions/tls';
import { KIND_SHAPES } from '../../kinds/shapes';
import type { Scenario } from '../../models/resources/scenarios';
import type { ScenarioBody } from '../../schemas/scenario';
import {
  type ComposeNeeds,
  composeScheduled,
  type ScheduledFields,
} from '../resources/compose-fields';
import type { Owner } from '../resources/kind';
import { findUnknownProxies } from '../resources/proxies';
import { listTokenTargets } from '../resources/target';

/** The part of a scenario that people define. */
export type ScenarioFields = ScheduledFields &
  Pick<
    Scenario,
    | 'steps'
    | 'auth'
    | 'tls'
    | 'proxy'
    | 'ipFamily'
    | 'httpVersion'
    | 'timeoutSeconds'
    | 'onFailure'
    | 'cookies'
  >;

/**
 * Returns the fields. Throws the same errors as composeScheduled. A scenario without named regions gets the first
 * default region.
 */
export async function composeScenarioFields(
  needs: ComposeNeeds,
  owner: Owner<Scenario>,
  body: ScenarioBody,
): Promise<ScenarioFields> {
  const { steps, timeoutSeconds, onFailure, cookies } = body;
  const requests = {
    targets: [
      ...listTokenTargets(body),
      ...steps.flatMap((step, index) =>
        targetsIn(step).map(({ path, url }) => ({ path: `steps[${index}].${path}`, url })),
      ),
    ],
    urls: steps.map((step) => ('kind' in step ? step.kind.url : step.url)),
    storedUrls: owner.stored && [
      ...listTokenUrls(owner.stored),
      ...owner.stored.steps.flatMap(storedTargets),
    ],
    sent: { steps: steps.map(sendingIn) },
    findProblems: () => findUnknownProxies(needs, namedProxies(body), storedRequests(owner.stored)),
  };
  const fields = await composeScheduled(needs, owner, { body, requests });
  return {
    ...fields,
    regions: body.regions === null ? fields.regions.slice(0, 1) : fields.regions,
    steps: steps.map(buildStep),
    // The field is set even if it is undefined, so that it replaces a stored value.
    auth: body.auth ?? undefined,
    tls: toStoredTls(body.tls).tls,
    proxy: body.proxy ?? undefined,
    ipFamily: body.ipFamily ?? undefined,
    httpVersion: body.httpVersion ?? undefined,
    timeoutSeconds,
    onFailure,
    cookies,
  };
}

function namedProxies({ proxy, steps }: ScenarioBody) {
  const ofSteps = steps.flatMap((step, index) =>
    'kind' in step ? [] : [{ path: `steps[${index}].proxy`, proxy: step.proxy }],
  );
  return [{ path: 'proxy', proxy }, ...ofSteps];
}

/** Returns the parts of the stored scenario that can name a proxy. */
function storedRequests(stored: Scenario | null) {
  if (stored === null) return [];
  return [stored, ...stored.steps.flatMap((step) => (isNetworkStep(step) ? [] : [step]))];
}

type StepBody = ScenarioBody['steps'][number];

/** Returns the part of the step that defines the request. */
function sendingIn(step: StepBody) {
  return 'kind' in step ? { name: step.name, ...step.kind.check } : step;
}

function targetsIn(step: StepBody) {
  return 'kind' in step
    ? step.kind.targets
    : [{ path: 'url', url: step.url }, ...listTokenTargets(step)];
}

function storedTargets(step: ScenarioStep): readonly string[] {
  if (!isNetworkStep(step)) return listStepUrls(step);
  return KIND_SHAPES[step.type].read(step.settings).targets.map(({ url }) => url);
}

function buildStep(step: StepBody): ScenarioStep {
  if (!('kind' in step)) {
    const { type: _http, auth, tls, proxy, ipFamily, httpVersion, ...request } = step;
    const own = { ...toStoredAuth(auth), ...toStoredTls(tls), ...toStoredProxy(proxy) };
    const versions = toStoredVersions({ ipFamily, httpVersion });
    return { ...request, ...own, ...versions, tlsWarnDays: tls.warnDays };
  }
  const { type: _type, kind, tls, ...common } = step;
  const tlsWarnDays = kind.warnDays ?? tls.warnDays;
  return { ...kind.check, ...common, url: kind.url, tlsWarnDays };
}
