/** From the body of a scenario to what is stored of it: what a scenario has beside other resources. */
import type { ScenarioStep } from '../../contracts/definition';
import { storedAuth } from '../../domain/definitions/auth';
import type { Scenario } from '../../models/resources/scenarios';
import type { ScenarioBody } from '../../schemas/scenario';
import {
  type ComposeNeeds,
  composeScheduled,
  type ScheduledFields,
} from '../resources/compose-fields';
import type { Owner } from '../resources/kind';

/** The part of a scenario that people define. */
export type ScenarioFields = ScheduledFields &
  Pick<Scenario, 'steps' | 'auth' | 'timeoutSeconds' | 'onFailure' | 'cookies'>;

/** Refuses as composeScheduled does. A scenario that names no region runs in the first one. */
export async function composeScenarioFields(
  needs: ComposeNeeds,
  owner: Owner<Scenario>,
  body: ScenarioBody,
): Promise<ScenarioFields> {
  const { steps, timeoutSeconds, onFailure, cookies } = body;
  const requests = {
    targets: steps.map(({ url }, index) => ({ path: `steps[${index}].url`, url })),
    storedUrls: owner.stored?.steps.map(({ url }) => url) ?? null,
    sent: { steps },
  };
  const fields = await composeScheduled(needs, owner, { body, requests });
  return {
    ...fields,
    regions: body.regions === null ? fields.regions.slice(0, 1) : fields.regions,
    steps: steps.map(stepOf),
    // Also where there is none: it replaces what is stored.
    auth: body.auth ?? undefined,
    timeoutSeconds,
    onFailure,
    cookies,
  };
}

function stepOf({ tls, auth, ...step }: ScenarioBody['steps'][number]): ScenarioStep {
  return { ...step, ...storedAuth(auth), tlsWarnDays: tls.warnDays };
}
