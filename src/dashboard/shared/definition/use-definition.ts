/** The draft of a form: changes, checks and saves it, and asks for confirmation before unsaved changes are lost. */
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useMemo, useState } from 'react';
import { readText } from '../../../schemas/loose';
import { ApiProblem } from '../data/api';
import { useChange } from '../data/queries';
import { useSearchState } from '../data/search';
import { FIELD_SEARCH, focusField } from '../form/problems/focus-field';
import type { Problems } from '../form/problems/problems';
import { useGoBack, useUnsaved } from '../form/unsaved';
import { useFormKey } from '../form/use-form-key';
import { notify } from '../ui/notify';
import type { DefinitionKind } from './definition-kind';
import { buildLayeredBody, type LayeredDraft, withOwnChanges } from './layered-draft';
import { useInheritedNames } from './use-environments';
import { type Layering, useLayers } from './use-layers';

/** A definition that is already saved. */
export interface Saved {
  readonly id: string;
  readonly name: string;
  readonly version: number;
}

export interface Definition<Draft> {
  readonly kind: DefinitionKind<Draft>;
  /** null for a new definition. */
  readonly saved: Saved | null;
  readonly draft: Draft;
  /** Changes the draft. Fields that change become own fields, which override the profile. */
  readonly change: (next: Draft) => void;
  readonly layering: Layering;
  readonly view: 'form' | 'yaml';
  /** Switches between form and YAML. Does nothing while the YAML is invalid. */
  readonly setView: (view: 'form' | 'yaml') => void;
  readonly setYamlProblems: (problems: Problems) => void;
  /** True if the YAML is invalid, so the draft cannot be saved. */
  readonly isBlocked: boolean;
  /** All problems, including those that are not shown yet. */
  readonly found: Problems;
  /** The problems that the summary shows. */
  readonly shown: Problems;
  /** The problems that the fields show, including the faults of the service's refusal. */
  readonly problems: Problems;
  readonly save: () => void;
  readonly isSaving: boolean;
  readonly refusal: ApiProblem | null;
  /** Called after the service has tested this draft. An earlier refusal of the tested fields no longer applies. */
  readonly tested: (draft: Draft) => void;
  readonly cancel: () => void;
}

/** Fields that a test leaves out or replaces. A successful test therefore does not show that these fields are valid. */
const UNTESTED = ['name', 'key', 'regions', 'quorum', 'variables', 'enabled'];

/** Creates the state of the form. After a save, the page of the definition is shown. */
export function useDefinition<Draft extends LayeredDraft>(
  kind: DefinitionKind<Draft>,
  initial: Draft,
  saved: Saved | null,
): Definition<Draft> {
  const [draft, setDraft] = useState(initial);
  const [isTried, setIsTried] = useState(false);
  const [tested, setTested] = useState<Draft | null>(null);
  const navigate = useNavigate();
  const sending = useChange<Saved>(kind.reads);
  // If nothing was changed, switching to the other view hides the problems.
  const view = useView(() => draft === initial && setIsTried(false));
  const { isBlocked } = view;
  useUnsaved(kind.toBody(draft), isBlocked);
  const replace = (next: Draft): void => {
    sending.reset();
    setDraft(next);
  };
  const layering = useLayers({ kind, draft, isNew: saved === null, setDraft: replace });
  const found = useProblems(kind, draft);
  const shown = isTried ? found : (kind.whileTyping?.(found, draft) ?? []);
  const refusal = tested === draft ? withoutTested(sending.error) : sending.error;

  const save = (): void => {
    setIsTried(true);
    setTested(null);
    const [first] = found;
    if (first !== undefined) focusField(first.path);
    if (first !== undefined || isBlocked || sending.isPending) return;
    const onSuccess = ({ id, name }: Saved): void => {
      notify(saved === null ? kind.created : `${name} saved.`);
      void navigate({ to: `${kind.page}/${id}`, ignoreBlocker: true });
    };
    sending.mutate(
      { ...chooseTarget(kind.path, saved), body: buildLayeredBody(kind, draft, layering.set) },
      { onSuccess },
    );
  };
  useFormKey('mod+S', save);
  useFirstField();
  return {
    kind,
    saved,
    draft,
    change: (next) => replace(withOwnChanges(kind, draft, next)),
    layering,
    ...view,
    found,
    shown,
    problems: [...shown, ...(refusal?.errors ?? [])],
    save,
    isSaving: sending.isPending,
    refusal,
    tested: setTested,
    cancel: useGoBack(saved === null ? kind.page : `${kind.page}/${saved.id}`),
  };
}

type View = Pick<Definition<unknown>, 'view' | 'setView' | 'setYamlProblems' | 'isBlocked'>;

function useView(onSwitch: () => void): View {
  const [view, setView] = useState<'form' | 'yaml'>('form');
  const [yamlProblems, setYamlProblems] = useState<Problems>([]);
  const isBlocked = view === 'yaml' && yamlProblems.length > 0;
  return {
    view,
    setView(next) {
      if (isBlocked) return;
      onSwitch();
      setView(next);
    },
    setYamlProblems,
    isBlocked,
  };
}

/** Returns all problems. Missing variables are left out if the environment or the account defines them. */
function useProblems<Draft>(kind: DefinitionKind<Draft>, draft: Draft): Problems {
  const own = useMemo(() => kind.findProblems(draft), [kind, draft]);
  const names = useInheritedNames(readText(kind.toBody(draft)['environment']));
  return own.filter(({ variable }) => variable === undefined || !names.includes(variable));
}

/** Moves the focus to the field named in the URL once the form is shown. */
function useFirstField(): void {
  const [search] = useSearchState();
  const field = search[FIELD_SEARCH];
  useEffect(() => {
    if (field !== undefined) focusField(field);
  }, [field]);
}

/** Removes the faults of tested fields from the problem. Returns null if no fault is left. */
function withoutTested(problem: ApiProblem | null): ApiProblem | null {
  if (problem === null || problem.errors.length === 0) return problem;
  const errors = problem.errors.filter(({ path }) =>
    UNTESTED.includes(path.split(/[.[]/)[0] ?? ''),
  );
  const { status, code, message: detail } = problem;
  return errors.length === 0 ? null : new ApiProblem({ status, code, detail, errors });
}

function chooseTarget(path: string, saved: Saved | null) {
  return saved === null
    ? ({ method: 'POST', path } as const)
    : ({ method: 'PUT', path: `${path}/${saved.id}`, ifVersion: saved.version } as const);
}
