/** Inputs of the request of a monitor or step. */
import { Select } from '@mantine/core';
import { HTTP_METHODS } from '../../../contracts/definition';
import { BodyField } from '../body/body-field';
import type { OfferedName } from '../editor/complete-reference';
import { TemplateInput } from '../form/fields/template-input';
import classes from '../form/form.module.css';
import { fieldAt } from '../form/problems/problems';
import type { FieldsProps } from './definition-fields';
import { mayHaveBody, type RequestDraft } from './request-draft';
import { withOneScheme, withScheme } from './typed-url';

interface RequestProps extends FieldsProps<RequestDraft> {
  /** The prefix of the paths of fields: empty, or like `steps[0].`. */
  readonly prefix?: string;
  /** The names offered after `{{`. */
  readonly names?: readonly OfferedName[];
}

interface MethodAndUrlProps extends RequestProps {
  readonly placeholder: string;
}

export function MethodAndUrl(props: MethodAndUrlProps) {
  const { draft, set, problems, prefix = '', names = [], placeholder } = props;
  return (
    <div className={classes['request']}>
      <Select
        label="Method"
        data={[...HTTP_METHODS]}
        value={draft.method}
        onChange={(method) => method !== null && set({ method })}
        {...fieldAt(problems, `${prefix}method`)}
        allowDeselect={false}
      />
      <TemplateInput
        label="URL"
        required
        inputMode="url"
        placeholder={placeholder}
        value={draft.url}
        onValue={(url) => set({ url: withOneScheme(url) })}
        onBlur={({ currentTarget: { value } }) => {
          if (withScheme(value) !== value) set({ url: withScheme(value) });
        }}
        names={names}
        {...fieldAt(problems, `${prefix}url`)}
      />
    </div>
  );
}

interface BodyInputProps extends RequestProps {
  readonly label: string;
}

/** The input for the body. Renders nothing if the method has no body and none is typed. */
export function BodyInput({ draft, set, label, ...props }: BodyInputProps) {
  if (!mayHaveBody(draft)) return null;
  return (
    <BodyField {...props} label={label} value={draft.body} onChange={(body) => set({ body })} />
  );
}
