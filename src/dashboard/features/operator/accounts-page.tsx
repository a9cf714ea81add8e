/** The accounts of the installation, for its operators: create, change the plan, suspend, resume and delete. */
import { Button, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import type { NewOperatedAccount, OperatedAccount, Page } from '../../shared/data/api-types';
import { useRead } from '../../shared/data/queries';
import { formatLabel } from '../../shared/form/labels';
import { PageLoading } from '../../shared/loading/page-loading';
import { Unread } from '../../shared/loading/unread';
import { CardItem, CardList } from '../../shared/ui/card-list';
import { CopyField } from '../../shared/ui/copy-field';
import { notify } from '../../shared/ui/notify';
import { PageHead } from '../../shared/ui/page-head';
import { ShownOnce } from '../../shared/ui/shown-once';
import { SmallBadge } from '../../shared/ui/small-badge';
import { SmallButton } from '../../shared/ui/small-button';
import { AccountForm } from './account-form';
import { DeleteForm } from './delete-form';
import { ACCOUNTS, TEXT } from './strings';
import { SuspendButton } from './suspend-button';

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
    <div data-touch>
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
    </div>
  );
}

function AccountCard({ account }: { readonly account: OperatedAccount }) {
  const [isDeleting, setIsDeleting] = useState(false);
  const { name, plan, state, suspended, isFirst, usage } = account;
  const mayEnd = !isFirst && state !== 'deleting';
  return (
    <CardItem
      name={name}
      marks={
        <>
          <SmallBadge text={formatLabel(plan)} />
          {state !== 'active' && <SmallBadge text={formatLabel(state)} colour="var(--kw-down)" />}
        </>
      }
      about={`${usage.monitors} monitors · ${usage.scenarios} scenarios · ${usage.members} members`}
      actions={
        mayEnd && (
          <>
            <SuspendButton account={account} />
            <SmallButton
              c="var(--mantine-color-red-text)"
              onClick={() => setIsDeleting(true)}
              aria-label={`Delete ${name}`}
            >
              Delete
            </SmallButton>
          </>
        )
      }
    >
      {suspended !== null && <Text size="sm">{suspended.reason}</Text>}
      {isDeleting && <DeleteForm account={account} onClose={() => setIsDeleting(false)} />}
    </CardItem>
  );
}
