/** The steps of the builder and everything that is done with them. */
import { Button, Group, Title } from '@mantine/core';
import { IconFileImport, IconPlus, IconTerminal2 } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { STEPS_MAX } from '../../../../contracts/definition';
import type { Problems } from '../../../shared/form/problems';
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
import { BUILDER_TEXT } from './builder-strings';
import { StepCard } from './step-card';
import type { Offered } from './step-fields';
import { StepList } from './step-list';
import { useSecretNames } from './use-secret-names';

const ImportDialog = lazy(() =>
  import('../import/import-dialog').then((loaded) => ({ default: loaded.ImportDialog })),
);

interface StepsPartProps {
  readonly draft: Draft;
  readonly problems: Problems;
  readonly onChange: (next: Draft) => void;
  /** Asks first when the change breaks references. */
  readonly onGuarded: (next: Draft, action: string) => void;
  readonly onTestUpTo: (stepId: string) => void;
}

export function StepsPart({ draft, problems, onChange, onGuarded, onTestUpTo }: StepsPartProps) {
  const [open, setOpen] = useState<ReadonlySet<string>>(() => firstOpen(draft));
  const [isPasting, setIsPasting] = useState(false);
  const [isImporting, setIsImporting] = useState(false);
  const [shown, setShown] = useState<DraftStep | null>(null);
  const secrets = useSecretNames();
  const toggle = (id: string): void => {
    const next = new Set(open);
    if (!next.delete(id)) next.add(id);
    setOpen(next);
  };
  const add = (next: Draft): void => {
    const fresh = next.steps.filter(({ id }) => !draft.steps.some((step) => step.id === id));
    onChange(next);
    setOpen(new Set([...open, ...fresh.map(({ id }) => id)]));
  };
  const move = (from: number, to: number): void =>
    onGuarded(withMoved(draft, from, to), 'Move anyway');
  return (
    <section>
      <Title order={2} size="h4" mb="sm">
        {BUILDER_TEXT.steps}
      </Title>
      <StepList draft={draft} onMove={move}>
        {draft.steps.map((step, index) => (
          <StepCard
            key={step.id}
            step={step}
            index={index}
            count={draft.steps.length}
            offered={offeredAt(draft, index, secrets)}
            problems={problems}
            isOpen={open.has(step.id)}
            onToggle={() => toggle(step.id)}
            onChange={(next) => onChange(withChanged(draft, next))}
            onRemoveExtraction={(extract) =>
              onGuarded(withChanged(draft, { ...step, extract }), 'Remove anyway')
            }
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

/** A single step is there to be filled in; many are there to be looked over. */
function firstOpen({ steps }: Draft): ReadonlySet<string> {
  return new Set(steps.length === 1 ? steps.map(({ id }) => id) : []);
}

function offeredAt(draft: Draft, index: number, secrets: readonly string[]): Offered {
  const given = { draft, index, secrets };
  return {
    inAddress: completionsFor({ ...given, isAddress: true }),
    elsewhere: completionsFor({ ...given, isAddress: false }),
  };
}
