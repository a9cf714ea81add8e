/** The authenticator app and the recovery codes of the signed-in person. */
import { Button, Group, Paper, Text } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { DeleteButton } from '../../../shared/actions/delete-button';
import { useAct } from '../../../shared/actions/use-act';
import type { SignInFactors } from '../../../shared/data/api-types';
import { loadWhenReached } from '../../../shared/loading/load-when-reached';
import { RelativeTime } from '../../../shared/text/time';
import { Heading } from '../../../shared/ui/heading';
import { SmallButton } from '../../../shared/ui/small-button';
import { FACTORS, TOUCHED } from './paths';

/** Loaded on demand, because it contains the library for QR codes. */
const CodeAppForm = lazy(
  loadWhenReached(async () => ({ default: (await import('./code-app-form')).CodeAppForm })),
);

export interface FactorCardProps {
  readonly factors: SignInFactors;
  /** True means that the person may change factors now. */
  readonly isProved: boolean;
  /** Called with new recovery codes, which are shown once; null if the service created none. */
  readonly onCodes: (codes: readonly string[] | null) => void;
}

export function CodeAppCard({ factors, isProved, onCodes }: FactorCardProps) {
  const { codeApp, passkeys, recoveryCodesLeft } = factors;
  const [isOpen, setOpen] = useState(false);
  const { act, isPending } = useAct<{ recoveryCodes: string[] }>(TOUCHED);
  const renew = (): void =>
    act(
      { method: 'POST', path: `${FACTORS}/recovery-codes`, body: {} },
      { onDone: ({ recoveryCodes }) => onCodes(recoveryCodes) },
    );
  const hasFactor = codeApp !== null || passkeys.length > 0;
  return (
    <section aria-labelledby="second-factor">
      <Heading id="second-factor" mb="xs">
        Second factor
      </Heading>
      <Paper withBorder p="md">
        <Group justify="space-between" gap="sm">
          <div>
            <Text fw={600}>Authenticator app</Text>
            <Text size="sm" c="dimmed">
              {codeApp === null ? (
                'Not set up. Once it is, each sign-in also asks for a code from an app on your phone.'
              ) : (
                <>
                  Set up <RelativeTime at={codeApp.createdAt} />
                </>
              )}
            </Text>
          </div>
          {isProved && (
            <Group gap="xs">
              <Button variant="default" onClick={() => setOpen(true)}>
                {codeApp === null ? 'Set up' : 'Replace'}
              </Button>
              {codeApp !== null && (
                <DeleteButton
                  path={`${FACTORS}/totp`}
                  touches={TOUCHED}
                  word="Remove"
                  label="Remove authenticator app"
                  question={{
                    title: 'Remove your authenticator app?',
                    text: 'Sign-in no longer asks for its codes.',
                  }}
                  done="Authenticator app removed."
                />
              )}
            </Group>
          )}
        </Group>
        {hasFactor && (
          <Group justify="space-between" gap="sm" mt="md">
            <div>
              <Text fw={600}>Recovery codes</Text>
              <Text size="sm" c="dimmed">
                {`${recoveryCodesLeft} left. Each lets you in once without your second factor.`}
              </Text>
            </div>
            {isProved && (
              <SmallButton variant="default" loading={isPending} onClick={renew}>
                Get new codes
              </SmallButton>
            )}
          </Group>
        )}
      </Paper>
      {isOpen && (
        <Suspense>
          <CodeAppForm onClose={() => setOpen(false)} onCodes={onCodes} />
        </Suspense>
      )}
    </section>
  );
}
