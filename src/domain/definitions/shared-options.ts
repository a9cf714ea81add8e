/** Options that the requests of a scenario share unless they set their own. Pure. */
import { isNetworkStep, type SentStep, type WithAuth } from '../../contracts/definition';
import type { IpFamily, WithIpFamily } from '../../contracts/definitions/ip-family';
import type { WithProxy } from '../../contracts/definitions/proxy';
import type { WithTls } from '../../contracts/definitions/tls';
import { withSentAuth } from './auth';
import { withSentProxy } from './proxy';
import { withSentTls } from './tls';

export type SharedOptions = WithAuth & WithTls & WithProxy & WithIpFamily;

/** Returns the IP version in its stored form. Pass null if none is specified. */
export function storedIpFamily(ipFamily: IpFamily | null): WithIpFamily {
  return ipFamily === null ? {} : { ipFamily };
}

/** The step in the form that is sent. */
export function withSharedOptions<Step extends SentStep>(step: Step, shared: SharedOptions): Step {
  const sent = withSentProxy(withSentTls(withSentAuth(step, shared), shared), shared);
  return withSentIpFamily(sent, shared);
}

function withSentIpFamily<Step extends SentStep>(step: Step, { ipFamily }: WithIpFamily): Step {
  const isKept = isNetworkStep(step) || ('ipFamily' in step && step.ipFamily !== undefined);
  return isKept || ipFamily === undefined ? step : { ...step, ipFamily };
}
