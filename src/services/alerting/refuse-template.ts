/**
 * Refuses templates that do not work before they are saved or shown. A worker thread parses and tries each template.
 */
import type { Config } from '../../notify/channels/channel';
import { findTemplateFaults } from '../../notify/template';
import { isSameJson } from '../../platform/canonical-json';
import { refuseProblems } from '../lists/field-problems';
import type { Dependencies } from '../ports/dependencies';
import { readTemplate } from './alert-destinations';

interface TemplateChange {
  readonly accountId: string;
  readonly given: Config;
  readonly stored?: Config | undefined;
}

/** Throws `validation_failed` for a template that does not work. A stored template is not checked again. */
export async function refuseTemplate(
  { runTextJob }: Pick<Dependencies, 'runTextJob'>,
  { accountId, given, stored = {} }: TemplateChange,
): Promise<void> {
  const template = readTemplate(given);
  const isStored = isSameJson(given['template'] ?? null, stored['template'] ?? null);
  if (template === null || isStored) return;
  const { title, text } = template;
  const textPath = typeof given['template'] === 'string' ? 'template' : 'template.text';
  const texts = [
    ...(title == null ? [] : [{ path: 'template.title', text: title }]),
    { path: textPath, text },
  ];
  const faults = await findTemplateFaults(
    (job) => runTextJob({ ...job, owner: accountId }),
    texts.map((one) => one.text),
  );
  refuseProblems(
    texts.flatMap(({ path }, index) => {
      const message = faults[index] ?? null;
      return message === null ? [] : [{ path, code: 'invalid_value', message }];
    }),
  );
}
