/** Inputs for the options of a request, of a monitor or of a step: a number or a switch each. */
import { NumberInput, Switch } from '@mantine/core';
import { z } from 'zod';
import type { RequestOptions } from '../../../contracts/definition';
import { REQUEST_OPTION_NAMES, requestOptionShapes } from '../../../schemas/request-options';
import { fieldAt, type Problems } from './problems';
import type { DraftOptions } from './request-option-draft';

interface OptionText {
  readonly label: string;
  readonly description?: string;
}

const TEXTS: Readonly<Record<keyof RequestOptions, OptionText>> = {
  timeoutMs: {
    label: 'Timeout (ms)',
    description: 'For the whole request, redirects and body included',
  },
  retries: {
    label: 'Retries',
    description: 'Immediate retries before a check counts as failed',
  },
  followRedirects: { label: 'Follow redirects' },
  maxRedirects: { label: 'Redirects at most', description: 'One more is a failure' },
  sendTraceparent: {
    label: 'Send traceparent',
    description: 'Requests carry the id of their trace, where this installation traces',
  },
};

interface RequestOptionInputsProps {
  readonly value: DraftOptions;
  /** Shown in empty inputs. */
  readonly defaults: RequestOptions;
  readonly onChange: (patch: Partial<DraftOptions>) => void;
  readonly problems: Problems;
  /** Of the request within the body: empty, or like `steps[0].`. */
  readonly prefix: string;
  /** Which of them: numbers stand in grids, switches in rows. */
  readonly type: 'number' | 'boolean';
}

/** Bounds are those of the body; a value beyond them is a problem, not impossible. */
export function RequestOptionInputs(props: RequestOptionInputsProps) {
  const { value, defaults, onChange, problems, prefix, type } = props;
  return REQUEST_OPTION_NAMES.map((name) => {
    const shape = requestOptionShapes[name];
    const held = value[name];
    if (shape instanceof z.ZodBoolean)
      return type !== 'boolean' ? null : (
        <Switch
          key={name}
          {...TEXTS[name]}
          checked={held === true}
          onChange={({ currentTarget }) => onChange({ [name]: currentTarget.checked })}
        />
      );
    if (type !== 'number') return null;
    return (
      <NumberInput
        key={name}
        {...TEXTS[name]}
        placeholder={String(defaults[name])}
        value={typeof held === 'number' ? held : ''}
        onChange={(next) => onChange({ [name]: next === '' ? null : Number(next) })}
        min={shape.minValue ?? 0}
        max={shape.maxValue ?? Number.MAX_SAFE_INTEGER}
        {...fieldAt(problems, `${prefix}${name}`)}
      />
    );
  });
}
