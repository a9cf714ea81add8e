/** Options of a scenario. Each option applies to all requests that do not set the option themselves. Pure. */
import { isNetworkStep, type SentStep, type WithAuth } from '../../contracts/definition';
import type { HttpVersion, WithHttpVersion } from '../../contracts/definitions/http-version';
import type { IpFamily, WithIpFamily } from '../../contracts/definitions/ip-family';
import type { WithProxy } from '../../contracts/definitions/proxy';
import type { WithTls } from '../../contracts/definitions/tls';
import { withSentAuth } from './auth';
import { withSentProxy } from './proxy';
import { withSentTls } from './tls';

type WithVersions = WithIpFamily & WithHttpVersion;

export type SharedOptions = WithAuth & WithTls & WithProxy & WithVersions;

interface GivenVersions {
  readonly ipFamily: IpFamily | null;
  readonly httpVersion: HttpVersion | null;
}

/** Returns the IP version and the HTTP version as definitions store them. A version that is not set is left out. */
export function toStoredVersions({ ipFamily, httpVersion }: GivenVersions): WithVersions {
  return {
    ...(ipFamily === null ? {} : { ipFamily }),
    ...(httpVersion === null ? {} : { httpVersion }),
  };
}

/** Returns the step as it is sent. Options that the step does not set come from its scenario. */
export function withSharedOptions<Step extends SentStep>(step: Step, shared: SharedOptions): Step {
  const sent = withSentProxy(withSentTls(withSentAuth(step, shared), shared), shared);
  return withSentHttpVersion(withSentIpFamily(sent, shared), shared);
}

function withSentIpFamily<Step extends SentStep>(step: Step, { ipFamily }: WithIpFamily): Step {
  const isKept = isNetworkStep(step) || ('ipFamily' in step && step.ipFamily !== undefined);
  return isKept || ipFamily === undefined ? step : { ...step, ipFamily };
}

function withSentHttpVersion<Step extends SentStep>(
  step: Step,
  { httpVersion }: WithHttpVersion,
): Step {
  const isKept = isNetworkStep(step) || ('httpVersion' in step && step.httpVersion !== undefined);
  return isKept || httpVersion === undefined ? step : { ...step, httpVersion };
}
