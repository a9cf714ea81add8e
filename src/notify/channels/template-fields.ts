/** Fields for the templates of channels. */
import { z } from 'zod';

const TITLE_MAX = 500;
const TEMPLATE_MAX = 8_000;

/** A template for the whole body of a request. */
export const bodyTemplate = z.string().min(1).max(TEMPLATE_MAX);

/** A template for title and text of a message. */
export const wordsTemplate = z
  .strictObject({
    title: z
      .string()
      .min(1)
      .max(TITLE_MAX)
      .meta({ description: 'First line of the message' })
      .optional(),
    text: z.string().max(TEMPLATE_MAX).meta({ description: 'The rest of the message' }),
  })
  .meta({ description: 'Template that replaces the default message, in Liquid' });
