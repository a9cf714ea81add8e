/** Creates or edits an environment. */
import type { Environment } from '../../../shared/data/api-types';
import { findStartedRollout } from '../../../shared/rollouts/find-started-rollout';
import type { Edited } from '../keyed/keyed';
import { KeyedForm } from '../keyed/keyed-form';
import { buildBody, createDraft } from './environment-draft';
import { ENVIRONMENTS } from './strings';
import { ValueRows } from './value-rows';

export function EnvironmentForm(edited: Edited<Environment>) {
  return (
    <KeyedForm
      kind={ENVIRONMENTS}
      {...edited}
      createDraft={createDraft}
      buildBody={buildBody}
      findRollout={({ key, updatedAt }) =>
        findStartedRollout({ type: 'environment', key }, updatedAt)
      }
    >
      {({ draft, set, fault }) => (
        <>
          <ValueRows
            legend="Variables, used as {{name}}"
            noun="variable"
            example={['baseUrl', 'https://staging.example.com']}
            rows={draft.variables}
            onChange={(variables) => set({ variables })}
            fault={(name) => fault(`variables.${name}`)}
          />
          <ValueRows
            legend="Secrets: the name in {{secret:name}}, and the stored secret to use"
            noun="secret"
            example={['token', 'staging-token']}
            rows={draft.secrets}
            onChange={(secrets) => set({ secrets })}
            fault={(name) => fault(`secrets.${name}`)}
          />
        </>
      )}
    </KeyedForm>
  );
}
