/** Sets up an authenticator app: shows its secret as a QR code, and checks its first code. */
import { Center, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { toString as toSvg } from 'qrcode';
import { useState } from 'react';
import { type ApiProblem, request } from '../../../shared/data/api';
import type { AddedCodeApp, NewCodeApp } from '../../../shared/data/api-types';
import { useRefresh } from '../../../shared/data/queries';
import { FormDialog } from '../../../shared/form/form-dialog';
import { CopyField } from '../../../shared/ui/copy-field';
import { Loading } from '../../../shared/ui/loading';
import { notify } from '../../../shared/ui/notify';
import { FACTORS, TOUCHED } from './paths';

interface CodeAppFormProps {
  readonly onClose: () => void;
  readonly onCodes: (codes: readonly string[] | null) => void;
}

interface Shown extends NewCodeApp {
  readonly image: string;
}

/** Starts the setup with a new secret each time the form opens. The secret is not cached. */
async function startApp(): Promise<Shown> {
  const app = await request<NewCodeApp>('POST', `${FACTORS}/totp`, { body: {} });
  const svg = await toSvg(app.uri, { type: 'svg', margin: 2 });
  return { ...app, image: `data:image/svg+xml,${encodeURIComponent(svg)}` };
}

export function CodeAppForm({ onClose, onCodes }: CodeAppFormProps) {
  const [code, setCode] = useState('');
  const refresh = useRefresh();
  const { data: app, error: startError } = useQuery<Shown, ApiProblem>({
    queryKey: ['new authenticator app'],
    queryFn: startApp,
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const { mutate, isPending, error } = useMutation<AddedCodeApp, ApiProblem, string>({
    mutationFn: (token) =>
      request('POST', `${FACTORS}/totp/confirm`, { body: { token, code }, hasPassword: true }),
    onSuccess: async ({ recoveryCodes }) => {
      notify('Authenticator app set up. Your other sessions have ended.');
      onCodes(recoveryCodes);
      onClose();
      await refresh(TOUCHED);
    },
  });
  return (
    <FormDialog
      title="Set up an authenticator app"
      action="Finish"
      problem={error ?? startError}
      isPending={isPending}
      onSubmit={() => app !== undefined && mutate(app.token)}
      onClose={onClose}
    >
      <Text size="sm">Scan this code with your authenticator app, or enter the secret there.</Text>
      {app === undefined ? (
        <Loading />
      ) : (
        <>
          <Center>
            <img src={app.image} alt="QR code of the secret" width={200} height={200} />
          </Center>
          <CopyField label="Secret" value={app.secret} />
        </>
      )}
      <TextInput
        label="Code from the app"
        inputMode="numeric"
        autoComplete="one-time-code"
        required
        value={code}
        onChange={({ currentTarget }) => setCode(currentTarget.value)}
      />
    </FormDialog>
  );
}
