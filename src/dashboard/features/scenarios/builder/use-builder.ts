/** The draft under the hands of the builder: changed, checked while one types, and saved. */
import { useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import type { ApiProblem } from '../../../shared/data/api';
import type { Scenario } from '../../../shared/data/api-types';
import { useChange } from '../../../shared/data/queries';
import { focusField } from '../../../shared/form/focus-field';
import type { Problems } from '../../../shared/form/problems';
import { confirm } from '../../../shared/ui/confirm';
import { tell } from '../../../shared/ui/notify';
import type { Draft } from '../draft/draft';
import { toBody } from '../draft/draft-body';
import { brokenBy, brokenWords } from '../draft/references';
import { findProblems, findWarnings, type Problem, withoutEmpty } from '../draft/validation';
import { BUILDER_TEXT } from './builder-strings';
import { useRenames } from './use-renames';
import { useSecretNames } from './use-secret-names';

export interface Builder {
  readonly draft: Draft;
  readonly change: (next: Draft) => void;
  /** When a field was left. */
  readonly settle: () => void;
  /** Asks first when the change breaks references. */
  readonly changeGuarded: (next: Draft, action: string) => void;
  /** By the path of their fields, with what the service refused. */
  readonly problems: Problems;
  readonly shown: readonly Problem[];
  readonly warnings: readonly Problem[];
  readonly save: () => void;
  readonly isSaving: boolean;
  readonly refusal: ApiProblem | null;
}

/** `saved` is null for a new scenario. Afterwards the page of the scenario is shown. */
export function useBuilder(initial: Draft, saved: Scenario | null): Builder {
  const [draft, setDraft] = useState(initial);
  const [isTried, setIsTried] = useState(false);
  const navigate = useNavigate();
  const sending = useChange<Scenario>(['/v1/scenarios', '/v1/overview', '/v1/checks']);
  const secrets = useSecretNames();
  const renames = useRenames();
  const found = useMemo(() => findProblems(draft), [draft]);
  const shown = isTried ? found : withoutEmpty(found, draft);

  const change = (next: Draft): void => {
    sending.reset();
    setDraft(renames.follow(draft, next));
  };
  const changeGuarded = (next: Draft, action: string): void => {
    const broken = brokenBy(draft, next);
    if (broken.length === 0) change(next);
    else
      confirm({
        title: BUILDER_TEXT.breaks,
        text: `${brokenWords(broken)}, which would no longer be defined.`,
        action,
        onConfirm: () => change(next),
      });
  };
  const save = (): void => {
    setIsTried(true);
    const [first] = found;
    if (first !== undefined) {
      focusField(first.path);
      return;
    }
    const target =
      saved === null
        ? ({ method: 'POST', path: '/v1/scenarios' } as const)
        : ({ method: 'PUT', path: `/v1/scenarios/${saved.id}`, ifVersion: saved.version } as const);
    sending.mutate(
      { ...target, body: toBody(draft) },
      {
        onSuccess: ({ id, name }) => {
          tell(saved === null ? 'Scenario created. First run is starting.' : `${name} saved.`);
          void navigate({ to: `/scenarios/${id}`, ignoreBlocker: true });
        },
      },
    );
  };
  return {
    draft,
    change,
    settle: () => renames.settle(draft),
    changeGuarded,
    problems: [...shown, ...(sending.error?.errors ?? [])],
    shown,
    warnings: findWarnings(draft, secrets),
    save,
    isSaving: sending.isPending,
    refusal: sending.error,
  };
}
