/** What the requests of a scenario have in common, where they say nothing else. Pure. */
import type { SentStep, WithAuth } from '../../contracts/definition';
import type { WithProxy } from '../../contracts/definitions/proxy';
import type { WithTls } from '../../contracts/definitions/tls';
import { withSentAuth } from './auth';
import { withSentProxy } from './proxy';
import { withSentTls } from './tls';

export type SharedOptions = WithAuth & WithTls & WithProxy;

/** The step as it is sent. */
export function withSharedOptions<Step extends SentStep>(step: Step, shared: SharedOptions): Step {
  return withSentProxy(withSentTls(withSentAuth(step, shared), shared), shared);
}
