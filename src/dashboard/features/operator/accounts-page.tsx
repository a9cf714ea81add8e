/** The accounts of the installation, for its operators: create, change the plan, suspend, resume and delete. */
import { Badge, Button, Group, Paper, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import type { NewOperatedAccount, OperatedAccount, Page } from '../../shared/data/api-types';
import { useRead } from '../../shared/data/queries';
import { PageLoading } from '../../shared/loading/page-loading';
import { Unread } from '../../shared/loading/unread';
import { CardHead, CardList } from '../../shared/ui/card-list';
import { CopyField } from '../../shared/ui/copy-field';
import { notify } from '../../shared/ui/notify';
import { PageHead } from '../../shared/ui/page-head';
import { ShownOnce } from '../../shared/ui/shown-once';
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
    <Paper component="li" withBorder p="sm">
      <CardHead
        actions={
          mayEnd && (
            <Group gap={4}>
              <SuspendButton account={account} />
              <SmallButton
                variant="subtle"
                color="red"
                onClick={() => setIsDeleting(true)}
                aria-label={`Delete ${name}`}
              >
                Delete
              </SmallButton>
            </Group>
          )
        }
      >
        <Group gap="xs">
          <Text fw={600}>{name}</Text>
          <Badge variant="light" tt="none">
            {plan}
          </Badge>
          {state !== 'active' && (
            <Badge variant="light" color="red" tt="none">
              {state}
            </Badge>
          )}
        </Group>
        <Text size="sm" c="dimmed">
          {`${usage.monitors} monitors · ${usage.scenarios} scenarios · ${usage.members} members`}
        </Text>
        {suspended !== null && <Text size="sm">{suspended.reason}</Text>}
      </CardHead>
      {isDeleting && <DeleteForm account={account} onClose={() => setIsDeleting(false)} />}
    </Paper>
  );
}
