/** A part of a step's fields: its title, a link to their description, and the fields. */
import { Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
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

interface FoldedPartProps extends PartProps {
  /** One line about the values, which stays in view while the fields are folded. */
  readonly summary: string;
  /** True if all fields have their default values. The fields are then folded at first. */
  readonly isDefault: boolean;
  /** True if a field has a problem. The fields are then open. */
  readonly isBroken: boolean;
}

/** A part whose fields are folded at first while all of them have their default values. */
export function FoldedPart(props: FoldedPartProps) {
  const { summary, isDefault, isBroken, children, ...part } = props;
  const [isOpen, setOpen] = useState(!isDefault);
  return (
    <Part {...part}>
      <details
        open={isOpen || isBroken}
        onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
      >
        <Text component="summary" size="sm" className={classes['summary'] ?? ''}>
          {summary}
        </Text>
        {children}
      </details>
    </Part>
  );
}
