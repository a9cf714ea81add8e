/**
 * Links from a part of a form to the explanation of its fields. The link opens a new tab, so that the form stays open.
 */
import { Anchor, VisuallyHidden } from '@mantine/core';

interface LearnMoreProps {
  /** The anchor of the field in `/docs/fields`, like `monitor.alerts`. */
  readonly fieldsAt: string;
  /** The subject of the link, for screen readers. */
  readonly about: string;
}

export function LearnMore({ fieldsAt, about }: LearnMoreProps) {
  return (
    <Anchor href={`/docs/fields#${fieldsAt}`} target="_blank" size="sm" underline="always">
      Learn more<VisuallyHidden> about {about}, in a new tab</VisuallyHidden>
    </Anchor>
  );
}
