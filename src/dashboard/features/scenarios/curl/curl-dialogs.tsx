/** Dialogs that turn a pasted curl command into a step, and show a step as a curl command. */
import { Alert, List, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { Dialog } from '../../../shared/dialog/dialog';
import { FormDialog } from '../../../shared/form/form-dialog';
import { CopyField } from '../../../shared/ui/copy-field';
import classes from '../builder/builder.module.css';
import { BUILDER_TEXT } from '../builder/builder-strings';
import type { DraftStep } from '../draft/draft';
import { importCurl, toCurl } from './curl';

interface CurlImportDialogProps {
  readonly name: string;
  readonly onImport: (step: DraftStep) => void;
  readonly onClose: () => void;
}

export function CurlImportDialog({ name, onImport, onClose }: CurlImportDialogProps) {
  const [command, setCommand] = useState('');
  const read = command.trim() === '' ? null : importCurl(command, name);
  return (
    <FormDialog
      title={BUILDER_TEXT.addCurl}
      action={BUILDER_TEXT.addStep}
      isDisabled={read?.ok !== true}
      onSubmit={() => {
        if (read?.ok !== true) return;
        onImport(read.step);
        onClose();
      }}
      onClose={onClose}
    >
      <Textarea
        label="Command"
        description="As copied from a browser: Network, Copy as cURL (bash or cmd)."
        placeholder="curl https://shop.example.com/orders -H 'accept: application/json'"
        value={command}
        onChange={({ currentTarget }) => setCommand(currentTarget.value)}
        error={read?.ok === false ? read.problem : undefined}
        autosize
        minRows={6}
        maxRows={16}
        classNames={{ input: classes['command'] ?? '' }}
        data-autofocus
      />
      {read?.ok === true && (
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          <b>{read.step.method}</b> {read.step.url}
        </Text>
      )}
      {read?.ok === true && read.notes.length > 0 && (
        <Alert variant="default" title="Warnings">
          <List size="sm">
            {read.notes.map((note) => (
              <List.Item key={note}>{note}</List.Item>
            ))}
          </List>
        </Alert>
      )}
    </FormDialog>
  );
}

interface CurlShownProps {
  readonly step: DraftStep;
  readonly onClose: () => void;
}

export function CurlShown({ step, onClose }: CurlShownProps) {
  return (
    <Dialog onClose={onClose} title={`${step.name} as a curl command`} size="lg">
      <CopyField label="Command" value={toCurl(step)} />
    </Dialog>
  );
}
