/** Edits the help for the person who gets an alert: a link to a runbook, and a note. */
import { Textarea, TextInput } from '@mantine/core';
import { fieldAt, type Problems } from '../form/problems/problems';

interface Guidance {
  readonly runbookUrl: string;
  readonly note: string;
}

interface GuidanceFieldProps {
  readonly value: Guidance;
  readonly onChange: (patch: Partial<Guidance>) => void;
  readonly problems: Problems;
}

export function GuidanceField({ value, onChange, problems }: GuidanceFieldProps) {
  return (
    <>
      <TextInput
        label="Runbook"
        description="URL of a page with what to do. Alerts and incidents link to it."
        type="url"
        placeholder="https://wiki.example.com/checkout"
        value={value.runbookUrl}
        onChange={({ currentTarget }) => onChange({ runbookUrl: currentTarget.value })}
        {...fieldAt(problems, 'runbookUrl')}
      />
      <Textarea
        label="Note"
        description="Plain text. Alerts show its first lines; keep secrets out of it."
        autosize
        minRows={2}
        maxRows={8}
        value={value.note}
        onChange={({ currentTarget }) => onChange({ note: currentTarget.value })}
        {...fieldAt(problems, 'note')}
      />
    </>
  );
}
