/**
 * The form of a monitor that can be tested. On narrow screens, the test follows the target of the check. On wide
 * screens, it is next to the fields.
 */
import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { Section } from '../../../shared/definition/definition-fields';
import { DefinitionForm, DefinitionView } from '../../../shared/definition/definition-form';
import { LayeringContext } from '../../../shared/definition/origin-note';
import type { Definition } from '../../../shared/definition/use-definition';
import classes from './tested-form.module.css';

interface TestedFormProps<Draft> {
  readonly definition: Definition<Draft>;
  /** The fields of the target, such as the URL. */
  readonly target: ReactNode;
  readonly test: ReactNode;
  /** The other fields. */
  readonly children: ReactNode;
}

export function TestedForm<Draft>({ definition, target, test, children }: TestedFormProps<Draft>) {
  const { view, layering } = definition;
  return (
    <DefinitionForm definition={definition}>
      <div className={classes['columns']}>
        <Stack className={classes['target'] ?? ''}>
          <DefinitionView definition={definition}>{target}</DefinitionView>
        </Stack>
        <div className={classes['test']}>
          <Section title="Test now">{test}</Section>
        </div>
        {view === 'form' && (
          <Stack className={classes['others'] ?? ''}>
            <LayeringContext value={layering}>{children}</LayeringContext>
          </Stack>
        )}
      </div>
    </DefinitionForm>
  );
}
