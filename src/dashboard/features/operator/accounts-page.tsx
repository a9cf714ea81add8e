/**
 * Lists the accounts of the installation for its operators, who can create, suspend, resume and delete accounts and
 * change their plans.
 */
import { Button, Select, Text, TextInput } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { PLANS } from '../../../domain/accounts/plan';
import { useAct } from '../../shared/actions/use-act';
import { countText } from '../../shared/charts/counted';
import type { NewOperatedAccount, OperatedAccount, Page } from '../../shared/data/api-types';
import { useChange, useRead } from '../../shared/data/queries';
import { FormDialog } from '../../shared/form/form-dialog';
import { formatLabel } from '../../shared/form/problems/labels';
import { PageLoading } from '../../shared/loading/page-loading';
import { Unread } from '../../shared/loading/unread';
import { faultAt } from '../../shared/text/faults';
import { CardItem, CardList } from '../../shared/ui/card-list';
import { CopyField } from '../../shared/ui/copy-field';
import { notify } from '../../shared/ui/notify';
import { PageHead } from '../../shared/ui/page-head';
import { ShownOnce } from '../../shared/ui/shown-once';
import { SmallBadge } from '../../shared/ui/small-badge';
import { SmallButton } from '../../shared/ui/small-button';
import { DeleteDialog, PlanDialog, SuspendDialog } from './account-dialogs';
import { ACCOUNTS, TEXT, TOUCHED } from './strings';

export function AccountsPage() {
  const [isAdding, setIsAdding] = useState(false);
  const [link, setLink] = useState<string | null>(null);
  const { data: page, error } = useRead<Page<OperatedAccount>>(`${ACCOUNTS}?limit=500`);
  const close = (created: NewOperatedAccount | null): void => {
    setIsAdding(false);
    if (created === null) return;
    if (created.owner.mailed) notify(`Invitation sent to ${created.owner.email}.`);
    setLink(created.owner.acceptUrl);
  };
  return (
    <>
      <PageHead title={TEXT.title} about={<Text c="dimmed">{TEXT.about}</Text>}>
        <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setIsAdding(true)}>
          {TEXT.add}
        </Button>
      </PageHead>
      {link !== null && (
        <ShownOnce title={TEXT.linkTitle} about={TEXT.linkAbout} onDone={() => setLink(null)}>
          <CopyField label="Invitation link" value={link} />
        </ShownOnce>
      )}
      <Unread of={{ data: page, error }} shape={<PageLoading isBelowHead />} />
      <CardList label={TEXT.title}>
        {page?.data.map((account) => (
          <AccountCard key={account.id} account={account} />
        ))}
      </CardList>
      {isAdding && <AccountForm onClose={close} />}
    </>
  );
}

const DIALOGS = { plan: PlanDialog, suspend: SuspendDialog, delete: DeleteDialog } as const;

function AccountCard({ account }: { readonly account: OperatedAccount }) {
  const [open, setOpen] = useState<keyof typeof DIALOGS | null>(null);
  const { name, plan, state, suspended } = account;
  const Opened = open === null ? null : DIALOGS[open];
  return (
    <CardItem
      name={name}
      marks={
        <>
          <SmallBadge text={formatLabel(plan)} />
          {state !== 'active' && <SmallBadge text={formatLabel(state)} colour="var(--kw-down)" />}
        </>
      }
      about={describeUsage(account)}
      actions={state !== 'deleting' && <Actions account={account} onOpen={setOpen} />}
    >
      {suspended !== null && <Text size="sm">{suspended.reason}</Text>}
      {Opened !== null && <Opened account={account} onClose={() => setOpen(null)} />}
    </CardItem>
  );
}

/** Formats the usage like `12 of 100 monitors · 0 of 30 scenarios · 1 of 10 members`. */
function describeUsage({ usage, bounds }: OperatedAccount): string {
  const kinds = ['monitors', 'scenarios', 'members'] as const;
  return kinds
    .map((kind) => `${countText(usage[kind])} of ${countText(bounds[kind])} ${kind}`)
    .join(' · ');
}

interface ActionsProps {
  readonly account: OperatedAccount;
  readonly onOpen: (dialog: keyof typeof DIALOGS) => void;
}

/** The actions on one account. The first account can be neither suspended nor deleted. */
function Actions({ account: { id, name, suspended, isFirst }, onOpen }: ActionsProps) {
  const { act, isPending } = useAct(TOUCHED);
  const resume = (): void =>
    act(
      { method: 'PATCH', path: `${ACCOUNTS}/${id}`, body: { suspended: null } },
      { done: `${name} is active.` },
    );
  return (
    <>
      <SmallButton onClick={() => onOpen('plan')} aria-label={`${TEXT.setPlan} of ${name}`}>
        {TEXT.setPlan}
      </SmallButton>
      {!isFirst && (
        <>
          <SmallButton
            loading={isPending}
            onClick={suspended === null ? () => onOpen('suspend') : resume}
            aria-label={`${suspended === null ? TEXT.suspend : TEXT.resume} ${name}`}
          >
            {suspended === null ? TEXT.suspend : TEXT.resume}
          </SmallButton>
          <SmallButton
            c="var(--mantine-color-red-text)"
            onClick={() => onOpen('delete')}
            aria-label={`${TEXT.delete} ${name}`}
          >
            {TEXT.delete}
          </SmallButton>
        </>
      )}
    </>
  );
}

interface AccountFormProps {
  /** Called with the account; null when the form was cancelled. */
  readonly onClose: (created: NewOperatedAccount | null) => void;
}

/** The form that creates an account and invites its owner. */
function AccountForm({ onClose }: AccountFormProps) {
  const [name, setName] = useState('');
  const [ownerEmail, setOwnerEmail] = useState('');
  const [plan, setPlan] = useState<string>('business');
  const { mutate, isPending, error } = useChange<NewOperatedAccount>(TOUCHED);
  const save = (): void => {
    const body = { name, plan, ownerEmail };
    mutate({ method: 'POST', path: ACCOUNTS, body }, { onSuccess: onClose });
  };
  return (
    <FormDialog
      title={TEXT.add}
      problem={error}
      action="Create"
      isPending={isPending}
      onSubmit={save}
      onClose={() => onClose(null)}
    >
      <TextInput
        label="Name"
        required
        data-autofocus
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
        error={faultAt(error, 'name')}
      />
      <TextInput
        type="email"
        label="Email address of the owner"
        required
        value={ownerEmail}
        onChange={({ currentTarget }) => setOwnerEmail(currentTarget.value)}
        error={faultAt(error, 'ownerEmail')}
        autoComplete="off"
      />
      <Select
        label="Plan"
        data={[...PLANS]}
        value={plan}
        allowDeselect={false}
        onChange={(chosen) => setPlan(chosen ?? plan)}
        error={faultAt(error, 'plan')}
      />
    </FormDialog>
  );
}
