/** The templates of channels; whether they can be rendered is found out when they are saved. */
import { z } from 'zod';

const TITLE_MAX = 500;
const TEMPLATE_MAX = 8_000;

/** The whole body of a request. */
export const bodyTemplate = z.string().min(1).max(TEMPLATE_MAX);

/** Title and text of a message, instead of our own words. */
export const wordsTemplate = z
  .strictObject({
    title: z
      .string()
      .min(1)
      .max(TITLE_MAX)
      .meta({ description: 'First line of the message' })
      .optional(),
    text: z.string().max(TEMPLATE_MAX).meta({ description: 'The rest of it' }),
  })
  .meta({ description: 'The message in words of your own, in Liquid' });
