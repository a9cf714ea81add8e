/**
 * Leads from a part of a form to what its fields mean, in a tab of its own: the form keeps what was
 * typed.
 */
import { Anchor, VisuallyHidden } from '@mantine/core';

interface LearnMoreProps {
  /** As `/docs/fields` has it, like `monitor.alerts`. */
  readonly fieldsAt: string;
  /** For those who do not see beside what it stands. */
  readonly about: string;
}

export function LearnMore({ fieldsAt, about }: LearnMoreProps) {
  return (
    <Anchor href={`/docs/fields#${fieldsAt}`} target="_blank" size="sm" underline="always">
      Learn more<VisuallyHidden> about {about}, in a new tab</VisuallyHidden>
    </Anchor>
  );
}
