/** Creates or edits a profile. */
import { SimpleGrid, Switch, TagsInput, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { AlertsField } from '../../../shared/alerts/alerts-field';
import { HoursField } from '../../../shared/alerts/hours-field';
import type { Profile } from '../../../shared/data/api-types';
import { useChange } from '../../../shared/data/queries';
import { DEFAULT_ALERTS } from '../../../shared/definition/definition-draft';
import { FormDialog } from '../../../shared/form/form-dialog';
import { HeadersField } from '../../../shared/form/headers-field';
import { NameField } from '../../../shared/form/name-field';
import { NumberField } from '../../../shared/form/number-field';
import { fieldAt, fieldWithin, type Problems } from '../../../shared/form/problems';
import { RegionsField } from '../../../shared/form/regions-field';
import { WarnDaysField } from '../../../shared/form/warn-days-field';
import { faultAt } from '../../../shared/text/faults';
import { notify } from '../../../shared/ui/notify';
import { PlanPreview } from './plan-preview';
import { buildBody, createDraft, type ProfileDraft, withName } from './profile-draft';
import { TEXT } from './strings';

/** Paths whose data changes with profiles. */
export const TOUCHED = ['/v1/profiles', '/v1/monitors', '/v1/scenarios', '/v1/checks'];

const NOT_SET = 'Not set';
const SUGGESTED_WARN_DAYS = [14, 7, 3, 1];

interface ProfileFormProps {
  /** null for a new profile. */
  readonly profile: Profile | null;
  readonly onClose: () => void;
}

export function ProfileForm({ profile, onClose }: ProfileFormProps) {
  const [draft, setDraft] = useState(() => createDraft(profile));
  const { mutate, isPending, error } = useChange<Profile>(TOUCHED);
  const set = (patch: Partial<ProfileDraft>): void => setDraft({ ...draft, ...patch });
  const save = (): void => {
    const onSuccess = (saved: Profile): void => {
      const isRolledOut = saved.rolloutId !== (profile?.rolloutId ?? null);
      notify(isRolledOut ? 'Profile saved. Its checks follow.' : 'Profile saved.');
      onClose();
    };
    mutate(buildRequest(profile, draft), { onSuccess });
  };
  return (
    <FormDialog
      size="lg"
      title={profile === null ? TEXT.add : 'Edit profile'}
      isUnchecked
      draft={draft}
      problem={error}
      isPending={isPending}
      onSubmit={save}
      onClose={onClose}
    >
      <NameField
        value={draft.name}
        onChange={(name) => set(profile === null ? withName(draft, name) : { name })}
        error={faultAt(error, 'name')}
      />
      <TextInput
        label="Key"
        description="Identifier in configuration files. It never changes."
        required
        disabled={profile !== null}
        value={draft.key}
        onChange={({ currentTarget }) => set({ key: currentTarget.value })}
        error={faultAt(error, 'key')}
      />
      <Fields draft={draft} set={set} problems={problemsOfSet(error?.errors ?? [])} />
      {profile !== null && <PlanPreview profile={profile} body={buildBody(draft)} />}
    </FormDialog>
  );
}

/** Problems of values, with paths as in a monitor. */
function problemsOfSet(errors: Problems): Problems {
  return errors
    .filter(({ path }) => path.startsWith('set.'))
    .map(({ path, message }) => ({ path: path.slice('set.'.length), message }));
}

interface FieldsProps {
  readonly draft: ProfileDraft;
  readonly set: (patch: Partial<ProfileDraft>) => void;
  readonly problems: Problems;
}

function Fields({ draft, set, problems }: FieldsProps) {
  const { alerts, group, tags, warnDays } = draft;
  const others = Object.keys(draft.others).filter((field) => field !== 'tls');
  return (
    <>
      <Text size="sm" c="dimmed">
        Empty fields are not set: each check keeps its own value or the default.
      </Text>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <NumberField
          label="Frequency (seconds)"
          placeholder={NOT_SET}
          value={draft.interval}
          onValue={(interval) => set({ interval })}
          {...fieldAt(problems, 'interval')}
        />
        <RegionsField
          value={draft.regions}
          onChange={(regions) => set({ regions })}
          problem={fieldWithin(problems, 'regions').error}
          placeholder={NOT_SET}
        />
        <NumberField
          label="Timeout (ms)"
          placeholder={NOT_SET}
          value={draft.timeoutMs}
          onValue={(timeoutMs) => set({ timeoutMs })}
          {...fieldAt(problems, 'timeoutMs')}
        />
        <NumberField
          label="Retries"
          placeholder={NOT_SET}
          value={draft.retries}
          onValue={(retries) => set({ retries })}
          {...fieldAt(problems, 'retries')}
        />
        <TextInput
          label="Group"
          placeholder={NOT_SET}
          value={group}
          onChange={({ currentTarget }) => set({ group: currentTarget.value })}
          {...fieldAt(problems, 'group')}
        />
        <TagsInput
          label="Tags"
          placeholder={tags.length === 0 ? NOT_SET : ''}
          value={[...tags]}
          onChange={(next) => set({ tags: next })}
          acceptValueOnBlur
          {...fieldWithin(problems, 'tags')}
        />
      </SimpleGrid>
      <HoursField
        value={{ hours: draft.hours, outside: 'quiet' }}
        isWithoutMode
        onChange={({ hours = draft.hours }) => set({ hours })}
        problems={problems}
      />
      <Switch
        label="Set alerts"
        checked={alerts !== null}
        onChange={({ currentTarget }) =>
          set({ alerts: currentTarget.checked ? DEFAULT_ALERTS : null })
        }
      />
      {alerts !== null && (
        <AlertsField
          routed={{ type: 'monitor', url: null, group, tags }}
          value={alerts}
          onChange={(next) => set({ alerts: next })}
          problems={problems}
        />
      )}
      <Switch
        label="Set certificate warnings"
        checked={warnDays !== null}
        onChange={({ currentTarget }) =>
          set({ warnDays: currentTarget.checked ? SUGGESTED_WARN_DAYS : null })
        }
      />
      {warnDays !== null && (
        <WarnDaysField
          value={warnDays}
          onChange={(days) => set({ warnDays: days })}
          problems={problems}
          path="tls.warnDays"
        />
      )}
      <Text size="sm" fw={600}>
        Headers
      </Text>
      <HeadersField
        value={draft.headers}
        onChange={(headers) => set({ headers })}
        problems={problems}
        path="headers"
      />
      {others.length > 0 && (
        <Text size="sm" c="dimmed">
          Also set, and kept: {others.join(', ')}.
        </Text>
      )}
    </>
  );
}

function buildRequest(profile: Profile | null, draft: ProfileDraft) {
  const body = buildBody(draft);
  if (profile === null) return { method: 'POST', path: '/v1/profiles', body } as const;
  const { id, version } = profile;
  return { method: 'PUT', path: `/v1/profiles/${id}`, body, ifVersion: version } as const;
}
