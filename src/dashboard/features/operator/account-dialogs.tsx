/** The dialogs that change or delete an account. */
import { Select, Text, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { PLANS } from '../../../domain/accounts/plan';
import type { ApiProblem } from '../../shared/data/api';
import type { OperatedAccount } from '../../shared/data/api-types';
import { type Change, useChange } from '../../shared/data/queries';
import { FormDialog } from '../../shared/form/form-dialog';
import { faultAt } from '../../shared/text/faults';
import { ACCOUNTS, TEXT, TOUCHED } from './strings';

interface AccountDialogProps {
  readonly account: OperatedAccount;
  readonly onClose: () => void;
}

interface FrameProps extends AccountDialogProps {
  readonly title: string;
  readonly action: string;
  readonly hint: string;
  /** Returns the request for the change. Called when the form is sent. null means that the form is not complete. */
  readonly change: () => Pick<Change, 'method' | 'body'> | null;
  readonly children: (problem: ApiProblem | null) => ReactNode;
}

/** A dialog that sends one change of the account, and closes when the change is done. */
function Frame({ account, title, action, hint, change, onClose, children }: FrameProps) {
  const { mutate, isPending, error } = useChange(TOUCHED);
  const send = (): void => {
    const sent = change();
    const path = `${ACCOUNTS}/${account.id}`;
    if (sent !== null) mutate({ ...sent, path }, { onSuccess: onClose });
  };
  return (
    <FormDialog
      title={title}
      problem={error}
      action={action}
      isPending={isPending}
      onSubmit={send}
      onClose={onClose}
    >
      <Text size="sm">{hint}</Text>
      {children(error)}
    </FormDialog>
  );
}

export function PlanDialog(props: AccountDialogProps) {
  const { name, plan } = props.account;
  const [chosen, setChosen] = useState<string>(plan);
  return (
    <Frame
      {...props}
      title={`Plan of ${name}`}
      action={TEXT.setPlan}
      hint={TEXT.planHint}
      change={() => ({ method: 'PATCH', body: { plan: chosen } })}
    >
      {(problem) => (
        <Select
          label="Plan"
          data={[...PLANS]}
          value={chosen}
          allowDeselect={false}
          onChange={(value) => setChosen(value ?? plan)}
          error={faultAt(problem, 'plan')}
        />
      )}
    </Frame>
  );
}

export function SuspendDialog(props: AccountDialogProps) {
  const [reason, setReason] = useState('');
  return (
    <Frame
      {...props}
      title={`Suspend ${props.account.name}?`}
      action={TEXT.suspend}
      hint={TEXT.suspendHint}
      change={() => ({ method: 'PATCH', body: { suspended: { reason } } })}
    >
      {(problem) => (
        <TextInput
          label="Reason"
          required
          data-autofocus
          value={reason}
          onChange={({ currentTarget }) => setReason(currentTarget.value)}
          error={faultAt(problem, 'suspended.reason')}
        />
      )}
    </Frame>
  );
}

/** The dialog that deletes the account after the user has typed its name. */
export function DeleteDialog(props: AccountDialogProps) {
  const { name } = props.account;
  const [typed, setTyped] = useState('');
  const [fault, setFault] = useState<string | null>(null);
  const confirm = () => {
    if (typed === name) return { method: 'DELETE' } as const;
    setFault(`Type “${name}” to confirm.`);
    return null;
  };
  return (
    <Frame
      {...props}
      title={`Delete ${name}?`}
      action={TEXT.delete}
      hint={TEXT.deleteHint}
      change={confirm}
    >
      {() => (
        <TextInput
          label="Name of the account"
          data-autofocus
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          error={fault}
          autoComplete="off"
        />
      )}
    </Frame>
  );
}
