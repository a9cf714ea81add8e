/**
 * Links a part of a form to the explanation of its fields. The link opens in a new tab, so that the form keeps the
 * typed text.
 */
import { Anchor, VisuallyHidden } from '@mantine/core';

interface LearnMoreProps {
  /** The path of the field as `/docs/fields` has it, like `monitor.alerts`. */
  readonly fieldsAt: string;
  /** The subject, for people who cannot see which part the link belongs to. */
  readonly about: string;
}

export function LearnMore({ fieldsAt, about }: LearnMoreProps) {
  return (
    <Anchor href={`/docs/fields#${fieldsAt}`} target="_blank" size="sm" underline="always">
      Learn more<VisuallyHidden> about {about}, in a new tab</VisuallyHidden>
    </Anchor>
  );
}
