/** The authentication of a request: a type and its fields. A button turns literal credentials into a secret. */
import { PasswordInput, Select, Stack, Textarea } from '@mantine/core';
import { useState } from 'react';
import type { Page, Secret } from '../data/api-types';
import { useRead } from '../data/queries';
import type { OfferedName } from '../editor/complete-reference';
import { TemplateInput } from '../form/fields/template-input';
import { SaveAsSecret } from '../form/headers/header-value';
import { fieldAt, fieldWithPaths, type Problems } from '../form/problems/problems';
import {
  AUTH_WORDS,
  type AuthDraft,
  type AuthInput,
  authText,
  findAuthType,
  shownInputs,
} from './auth-draft';

interface AuthFieldProps {
  readonly value: AuthDraft;
  readonly onChange: (value: AuthDraft) => void;
  readonly problems: Problems;
  /** The path of the field, like `auth` or `steps[1].auth`. */
  readonly path: string;
  /** The label of the choice to set nothing here, like `None` or a text that refers to the scenario. */
  readonly otherwise: string;
  /** True if the scenario has authentication that the step can turn off. */
  readonly mayOptOut?: boolean;
  /** The names offered after `{{`. */
  readonly names?: readonly OfferedName[];
  /** True means that a title above the field already says “Authentication”. */
  readonly isTitled?: boolean;
}

const UNSAID = '';

export function AuthField(props: AuthFieldProps) {
  const { value, onChange, problems, path, otherwise, mayOptOut = false, isTitled = false } = props;
  const offered = Object.entries(AUTH_WORDS)
    .filter(([type]) => type !== 'none' || mayOptOut || value.type === 'none')
    .map(([type, { label }]) => ({ value: type, label }));
  return (
    <Stack gap="sm">
      <Select
        {...(isTitled ? { 'aria-label': 'Authentication' } : { label: 'Authentication' })}
        data={[{ value: UNSAID, label: otherwise }, ...offered]}
        value={value.type ?? UNSAID}
        onChange={(type) => onChange({ ...value, type: findAuthType(type ?? UNSAID) })}
        {...fieldAt(problems, path)}
        allowDeselect={false}
      />
      {shownInputs(value).map((input) => (
        <AuthText {...props} key={`${value.type} ${input.name}`} input={input} />
      ))}
    </Stack>
  );
}

interface AuthTextProps extends AuthFieldProps {
  readonly input: AuthInput;
}

function AuthText({ value, onChange, problems, path, names = [], input }: AuthTextProps) {
  const { name, label, isSecret, choices, isList = false } = input;
  const onValue = (text: string) => onChange({ ...value, texts: { ...value.texts, [name]: text } });
  const shown = {
    label,
    value: authText(value, input),
    ...fieldAt(problems, `${path}.${name}`),
  };
  if (choices !== undefined)
    return (
      <Select
        {...shown}
        data={[...choices]}
        onChange={(chosen) => onValue(chosen ?? '')}
        allowDeselect={false}
      />
    );
  if (isList)
    return (
      <Textarea
        {...shown}
        {...fieldWithPaths(problems, `${path}.${name}`)}
        description="One name=value a line."
        onChange={({ currentTarget }) => onValue(currentTarget.value)}
        autosize
        minRows={2}
        spellCheck={false}
      />
    );
  const field = { ...shown, onValue };
  return isSecret ? (
    <SecretText {...field} name={name} />
  ) : (
    <TemplateInput {...field} names={names} />
  );
}

interface SecretTextProps {
  readonly name: string;
  readonly label: string;
  readonly value: string;
  readonly onValue: (text: string) => void;
  readonly error: string | undefined;
}

const REFERENCE_BEGUN = /^(?:\{\{?[^{}]*\}?\}?)?$/;

/** The input of a secret, which should contain a reference. A button turns a typed credential into a secret. */
function SecretText({ name, ...field }: SecretTextProps) {
  const { label, value, onValue } = field;
  const { data } = useRead<Page<Secret>>('/v1/secrets?limit=500');
  const isCredential = !REFERENCE_BEGUN.test(value);
  // Remembers whether the field contained a credential at first. The type of the input must not change while the user
  // types.
  const [wasCredential, setWasCredential] = useState(isCredential);
  if (!isCredential || !wasCredential)
    return (
      <TemplateInput
        {...field}
        placeholder="{{secret:name}}"
        names={(data?.data ?? []).map((secret) => ({
          label: `secret:${secret.name}`,
          detail: 'stored secret',
        }))}
        onBlur={() => setWasCredential(isCredential)}
      />
    );
  const { onValue: _onValue, ...shown } = field;
  return (
    <div>
      <PasswordInput
        {...shown}
        onChange={({ currentTarget }) => onValue(currentTarget.value)}
        autoComplete="off"
        visibilityToggleButtonProps={{ 'aria-label': `Show ${label.toLowerCase()}` }}
      />
      <SaveAsSecret row={{ name, value }} onValue={onValue} />
    </div>
  );
}
