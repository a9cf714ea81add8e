/** The templates of channels: checked when they are saved, and tried with an alert that has everything. */
import { z } from 'zod';
import { templateValuesOf } from '../event';
import { findTemplateFault, TEMPLATE_MAX } from '../liquid';
import { sampleAlert } from '../sample-alerts';
import { wordsOf } from '../words';

const TITLE_MAX = 500;

/** Everything that a template can name; no part is empty. */
function everything() {
  const alert = sampleAlert('failure', 0);
  const { certificate } = sampleAlert('certificate', 0);
  const full = { ...alert, certificate };
  return templateValuesOf({ id: 'alr_', alert: full, words: wordsOf(full, 'http://localhost') });
}

const KNOWN = everything();

const liquid = (max: number) =>
  z
    .string()
    .max(max)
    .superRefine((text, context) => {
      const message = findTemplateFault(text, KNOWN);
      if (message !== null) context.addIssue({ code: 'custom', message });
    });

/** The whole body of a request. */
export const bodyTemplate = liquid(TEMPLATE_MAX).min(1);

/** Title and text of a message, instead of our own words. */
export const wordsTemplate = z
  .strictObject({
    title: liquid(TITLE_MAX).min(1).meta({ description: 'First line of the message' }).optional(),
    text: liquid(TEMPLATE_MAX).meta({ description: 'The rest of it' }),
  })
  .meta({ description: 'The message in words of your own, in Liquid' });
