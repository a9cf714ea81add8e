/** The builder in three panes: the steps, the fields of the selected step, and its response in the last test. */

import { Button, Card, Group } from '@mantine/core';
import { IconArrowUp, IconFileImport, IconPlus, IconTerminal2 } from '@tabler/icons-react';
import { lazy, type ReactNode, type RefObject, Suspense, useId, useRef, useState } from 'react';
import { STEPS_MAX } from '../../../../contracts/definition';
import type { Problems } from '../../../shared/form/problems/problems';
import { loadWhenReached } from '../../../shared/loading/load-when-reached';
import { Heading } from '../../../shared/ui/heading';
import { CurlImportDialog, CurlShown } from '../curl/curl-dialogs';
import type { Draft, DraftStep } from '../draft/draft';
import {
  withChanged,
  withCopy,
  withImported,
  withMoved,
  withNewStep,
  withoutStep,
} from '../draft/draft-changes';
import { completionsFor } from '../draft/references';
import { labelShared } from '../draft/shared-labels';
import classes from './builder.module.css';
import { BUILDER_TEXT } from './builder-strings';
import { StepCard } from './step-card';
import { type Offered, StepFields } from './step-fields';
import { StepList } from './step-list';
import { useSecretNames } from './use-secret-names';
import type { SelectedStep } from './use-selected-step';

const ImportDialog = lazy(
  loadWhenReached(async () => ({
    default: (await import('../import/import-dialog')).ImportDialog,
  })),
);

interface StepsPartProps {
  readonly draft: Draft;
  readonly problems: Problems;
  readonly onChange: (next: Draft) => void;
  /** Changes the draft. Asks for confirmation if the change breaks references. */
  readonly onGuarded: (next: Draft, action: string) => void;
  readonly onTestUpTo: (stepId: string) => void;
  readonly selected: SelectedStep;
  /** The content of the third pane. */
  readonly response: ReactNode;
}

export function StepsPart(props: StepsPartProps) {
  const { draft, problems, onChange, onGuarded, selected, response } = props;
  const secrets = useSecretNames();
  const editorId = useId();
  const editor = useRef<HTMLElement>(null);
  const { step } = selected;
  const index = draft.steps.findIndex(({ id }) => id === step?.id);
  return (
    <div className={classes['container']}>
      <div className={classes['panes']}>
        <Steps {...props} editorId={editorId} onShow={() => showEditor(editor)} />
        {step !== undefined && (
          <Card
            component="section"
            withBorder
            ref={editor}
            id={editorId}
            key={step.id}
            aria-label={`Step ${index + 1}: ${step.name}`}
            className={`${classes['pane']} ${classes['editor']}`}
            data-path={`steps[${index}]`}
            tabIndex={-1}
          >
            <Group className={classes['back'] ?? ''}>
              <Button
                variant="default"
                leftSection={<IconArrowUp size={16} aria-hidden />}
                onClick={() => showSteps(editorId)}
              >
                {BUILDER_TEXT.backToSteps}
              </Button>
            </Group>
            <StepFields
              step={step}
              index={index}
              offered={offeredAt(draft, index, secrets)}
              problems={problems}
              onChange={(next) => onChange(withChanged(draft, next))}
              onRemoveExtraction={(extract) =>
                onGuarded(withChanged(draft, { ...step, extract }), 'Remove anyway')
              }
            />
          </Card>
        )}
        <Card
          component="section"
          withBorder
          aria-label={BUILDER_TEXT.response}
          className={classes['pane'] ?? ''}
          data-pane="response"
        >
          {response}
        </Card>
      </div>
    </div>
  );
}

/**
 * Scrolls to the fields of the selected step and focuses them, if they are out of view, as on narrow screens. Waits for
 * the next frame, because the fields of the selected step are rendered only then.
 */
function showEditor(editor: RefObject<HTMLElement | null>): void {
  requestAnimationFrame(() => {
    const pane = editor.current;
    if (pane === null || pane.getBoundingClientRect().top < window.innerHeight / 2) return;
    pane.scrollIntoView({ block: 'start' });
    pane.focus({ preventScroll: true });
  });
}

/** Scrolls to the selected step in the list and focuses it. */
function showSteps(editorId: string): void {
  const toggle = document.querySelector<HTMLElement>(`[aria-controls="${CSS.escape(editorId)}"]`);
  toggle?.scrollIntoView({ block: 'center' });
  toggle?.focus({ preventScroll: true });
}

interface StepsProps extends Omit<StepsPartProps, 'response'> {
  readonly editorId: string;
  /** Called after a step is selected. */
  readonly onShow: () => void;
}

function Steps(props: StepsProps) {
  const { draft, problems, onChange, onGuarded, onTestUpTo, selected, editorId, onShow } = props;
  const [isPasting, setIsPasting] = useState(false);
  const [isImporting, setIsImporting] = useState(false);
  const [shown, setShown] = useState<DraftStep | null>(null);
  const select = (id: string): void => {
    selected.select(id);
    onShow();
  };
  const add = (next: Draft): void => {
    const fresh = next.steps.filter(({ id }) => !draft.steps.some((step) => step.id === id));
    onChange(next);
    if (fresh[0] !== undefined) select(fresh[0].id);
  };
  const move = (from: number, to: number): void =>
    onGuarded(withMoved(draft, from, to), 'Move anyway');
  return (
    <section className={classes['pane']} data-pane="steps">
      <Heading mb="sm">Steps</Heading>
      <StepList draft={draft} onMove={move}>
        {draft.steps.map((step, index) => (
          <StepCard
            key={step.id}
            step={step}
            index={index}
            count={draft.steps.length}
            problems={problems}
            isSelected={step.id === selected.step?.id}
            editorId={editorId}
            onSelect={() => select(step.id)}
            actions={{
              onMove: (by) => move(index, index + by),
              onCopy: () => add(withCopy(draft, step.id)),
              onCopyCurl: () => setShown(step),
              onTestUpTo: () => onTestUpTo(step.id),
              onRemove: () => onGuarded(withoutStep(draft, step.id), 'Delete anyway'),
            }}
          />
        ))}
      </StepList>
      <Group mt="sm">
        <Button
          variant="default"
          leftSection={<IconPlus size={16} aria-hidden />}
          onClick={() => add(withNewStep(draft))}
        >
          {BUILDER_TEXT.addStep}
        </Button>
        <Button
          variant="default"
          leftSection={<IconTerminal2 size={16} aria-hidden />}
          onClick={() => setIsPasting(true)}
        >
          {BUILDER_TEXT.addCurl}
        </Button>
        <Button
          variant="default"
          leftSection={<IconFileImport size={16} aria-hidden />}
          onClick={() => setIsImporting(true)}
        >
          {BUILDER_TEXT.importFile}
        </Button>
      </Group>
      {isPasting && (
        <CurlImportDialog
          name={`Step ${draft.steps.length + 1}`}
          onImport={(step) => add(withImported(draft, [step], {}))}
          onClose={() => setIsPasting(false)}
        />
      )}
      {isImporting && (
        <Suspense>
          <ImportDialog
            room={STEPS_MAX - draft.steps.length}
            onImport={(steps, variables) => add(withImported(draft, steps, variables))}
            onClose={() => setIsImporting(false)}
          />
        </Suspense>
      )}
      {shown !== null && <CurlShown step={shown} onClose={() => setShown(null)} />}
    </section>
  );
}

function offeredAt(draft: Draft, index: number, secrets: readonly string[]): Offered {
  const given = { draft, index, secrets };
  return {
    inAddress: completionsFor({ ...given, isAddress: true }),
    elsewhere: completionsFor({ ...given, isAddress: false }),
    shared: labelShared(draft),
  };
}
