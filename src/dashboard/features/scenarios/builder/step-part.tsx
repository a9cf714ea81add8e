/** A part of a step's fields: its title, a link to their description, and the fields. */
import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { LearnMore } from '../../../shared/ui/learn-more';
import classes from './builder.module.css';

interface PartProps {
  readonly title: string;
  /** The section of `/docs/fields` that describes the fields. */
  readonly fieldsAt: string;
  readonly hint?: string;
  readonly children: ReactNode;
}

export function Part({ title, fieldsAt, hint, children }: PartProps) {
  return (
    <fieldset className={classes['part']}>
      <Text component="legend" size="sm" fw={600} mb={4} p={0}>
        {title}
      </Text>
      <div className={classes['learnMore']}>
        <LearnMore fieldsAt={fieldsAt} about={title.toLowerCase()} />
      </div>
      {hint !== undefined && (
        <Text size="xs" c="dimmed" mb={6}>
          {hint}
        </Text>
      )}
      {children}
    </fieldset>
  );
}
