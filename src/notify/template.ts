/** Renders and validates the templates of accounts. Runs only in worker threads. */
import type { AlertMessage, AlertTemplate } from '../contracts/alerts';
import type { MarkupName } from '../domain/text/markup-escapes';
import type { RunTextJob, TextResult } from '../text/text-task';
import { buildTemplateValues } from './event';
import { createSampleAlert } from './sample-alerts';
import { writeAlert } from './words';

export type TemplateValues = ReturnType<typeof buildTemplateValues>;

export type Rendering =
  | { readonly title: string | null; readonly text: string }
  | { readonly fault: string };

/** Renders the template. Returns title and text, or the reason why they could not be rendered. */
export async function renderTemplate(
  runTextJob: RunTextJob,
  { title = null, text }: AlertTemplate,
  { values, markup }: { readonly values: TemplateValues; readonly markup: MarkupName },
): Promise<Rendering> {
  const rendered = await runTextJob({
    text: '',
    tasks: [...(title === null ? [] : [title]), text].map((template) => ({
      kind: 'template' as const,
      template,
      values,
      markup,
      isStrict: false,
    })),
  });
  const fault = rendered.map(describeFault).find((found) => found !== null);
  if (fault !== undefined) return { fault };
  const texts = rendered.map((result) => ('rendered' in result ? result.rendered : ''));
  return { title: title === null ? null : (texts[0] ?? ''), text: texts.at(-1) ?? '' };
}

/** Returns values for templates, in which every field is filled in. */
function buildEveryValue(): TemplateValues {
  const alert = createSampleAlert('failure', 0);
  const { certificate } = createSampleAlert('certificate', 0);
  const { passing, acknowledged } = createSampleAlert('recovery', 0);
  const full: AlertMessage = {
    ...alert,
    certificate,
    ...(passing && { passing }),
    ...(acknowledged && { acknowledged }),
  };
  const publicUrl = 'http://localhost';
  return buildTemplateValues({
    id: 'alr_',
    alert: full,
    words: writeAlert(full, publicUrl),
    acknowledge: { label: 'Acknowledge', url: publicUrl },
  });
}

/**
 * Renders each text with an alert in which every field is filled in. Returns for each text the error with line and
 * column, or null.
 */
export async function findTemplateFaults(
  runTextJob: RunTextJob,
  texts: readonly string[],
): Promise<readonly (string | null)[]> {
  const values = buildEveryValue();
  const results = await runTextJob({
    text: '',
    tasks: texts.map((template) => ({
      kind: 'template',
      template,
      values,
      markup: 'plain',
      isStrict: true,
    })),
  });
  return results.map(describeFault);
}

function describeFault(result: TextResult): string | null {
  if ('rendered' in result) return null;
  if ('fault' in result) return result.fault;
  const isSlow = 'problem' in result && result.problem.startsWith('template_too_slow');
  return isSlow ? 'takes too much time or memory' : 'could not be rendered now';
}
