/** The passkeys of the signed-in person. */
import { Button, Group, Paper, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { DeleteButton } from '../../../shared/actions/delete-button';
import { ApiProblem, request } from '../../../shared/data/api';
import type { AddedPasskey, Passkey } from '../../../shared/data/api-types';
import { useRefresh } from '../../../shared/data/queries';
import { RelativeTime } from '../../../shared/text/time';
import { CardItem, CardList } from '../../../shared/ui/card-list';
import { Heading } from '../../../shared/ui/heading';
import { notify } from '../../../shared/ui/notify';
import { ProblemNote } from '../../../shared/ui/problem-note';
import { createPasskey } from './browser-passkeys';
import type { FactorCardProps } from './code-app-card';
import { FACTORS, TOUCHED } from './paths';

export function PasskeyList({ factors, isProved, onCodes }: FactorCardProps) {
  const { passkeys, passkeysAvailable } = factors;
  return (
    <section aria-labelledby="passkeys">
      <Heading id="passkeys" mb={4}>
        Passkeys
      </Heading>
      <Text c="dimmed" mb="sm">
        {passkeysAvailable
          ? 'Sign in with your device or a security key, with or without a password.'
          : 'Browsers allow passkeys only at a host name with https. Ask your administrator.'}
      </Text>
      {passkeys.length > 0 && (
        <CardList label="Passkeys">
          {passkeys.map((passkey) => (
            <PasskeyCard key={passkey.id} passkey={passkey} isProved={isProved} />
          ))}
        </CardList>
      )}
      {isProved && passkeysAvailable && <AddForm onCodes={onCodes} />}
    </section>
  );
}

interface PasskeyCardProps {
  readonly passkey: Passkey;
  readonly isProved: boolean;
}

function PasskeyCard({ passkey, isProved }: PasskeyCardProps) {
  const { id, name, createdAt, lastUsedAt } = passkey;
  return (
    <CardItem
      name={name}
      about={
        <>
          Added <RelativeTime at={createdAt} />
          {lastUsedAt !== null && (
            <>
              , last used <RelativeTime at={lastUsedAt} />
            </>
          )}
        </>
      }
      actions={
        isProved && (
          <DeleteButton
            path={`${FACTORS}/passkeys/${encodeURIComponent(id)}`}
            touches={TOUCHED}
            word="Remove"
            label={`Remove ${name}`}
            question={{
              title: `Remove the passkey ${name}?`,
              text: 'You can no longer sign in with it. Delete it on the device, too.',
            }}
            done="Passkey removed."
          />
        )
      }
    />
  );
}

function AddForm({ onCodes }: Pick<FactorCardProps, 'onCodes'>) {
  const [name, setName] = useState('');
  const refresh = useRefresh();
  const { mutate, isPending, error } = useMutation<AddedPasskey, Error>({
    mutationFn: async () => {
      const created = await createPasskey();
      return request('POST', `${FACTORS}/passkeys`, {
        body: { ...created, name },
        hasPassword: true,
      });
    },
    onSuccess: async ({ recoveryCodes }) => {
      setName('');
      notify('Passkey added. Your other sessions have ended.');
      onCodes(recoveryCodes);
      await refresh(TOUCHED);
    },
  });
  const add = (event: FormEvent): void => {
    event.preventDefault();
    mutate();
  };
  return (
    <Paper component="form" withBorder p="md" mt="sm" onSubmit={add}>
      <Group align="flex-end" gap="xs" maw="var(--kw-form)">
        <TextInput
          label="Name of the new passkey"
          placeholder="Laptop"
          required
          maxLength={200}
          flex="1 1 200px"
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        <Button type="submit" variant="default" loading={isPending}>
          Add a passkey
        </Button>
      </Group>
      {error instanceof ApiProblem && <ProblemNote problem={error} />}
      {error !== null && !(error instanceof ApiProblem) && (
        <Text size="sm" c="red" role="alert" mt="xs">
          The browser did not create a passkey. Try again, or use another device.
        </Text>
      )}
    </Paper>
  );
}
