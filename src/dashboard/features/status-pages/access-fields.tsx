/** Selects who may see a published status page. */
import { Input, PasswordInput, SegmentedControl, TagsInput } from '@mantine/core';
import type { AccessDraft } from './access-draft';
import classes from './editor.module.css';
import { TEXT } from './strings';

const TYPES = [
  { value: 'public', label: 'Everyone' },
  { value: 'password', label: 'Password' },
  { value: 'members', label: 'Members' },
  { value: 'ips', label: 'Networks' },
] as const;

interface AccessFieldsProps {
  readonly access: AccessDraft;
  /** True means that a password is saved, so none needs to be typed. */
  readonly hasPassword: boolean;
  readonly onChange: (access: AccessDraft) => void;
  readonly findFault: (field: string) => string | null;
}

export function AccessFields({ access, hasPassword, onChange, findFault }: AccessFieldsProps) {
  const { type, password, ranges } = access;
  return (
    <>
      <Input.Wrapper
        label={TEXT.access}
        labelElement="div"
        description="While the page is public. Members of this account always see it."
      >
        <div>
          <SegmentedControl
            aria-label={TEXT.access}
            className={classes['access'] ?? ''}
            withItemsBorders={false}
            value={type}
            data={[...TYPES]}
            onChange={(value) => {
              const chosen = TYPES.find((each) => each.value === value);
              if (chosen !== undefined) onChange({ ...access, type: chosen.value });
            }}
          />
        </div>
      </Input.Wrapper>
      {type === 'password' && (
        <PasswordInput
          label="Page password"
          description={
            hasPassword
              ? 'Leave it empty to keep the current password. A new one signs every visitor out.'
              : 'At least 8 characters. Visitors enter it once a week.'
          }
          required={!hasPassword}
          minLength={8}
          maxLength={200}
          maw={420}
          autoComplete="new-password"
          value={password}
          onChange={({ currentTarget }) => onChange({ ...access, password: currentTarget.value })}
          visibilityToggleButtonProps={{ 'aria-label': 'Show password' }}
          error={findFault('access.password')}
        />
      )}
      {type === 'ips' && (
        <TagsInput
          label="Allowed networks"
          description="IP addresses or ranges like 203.0.113.0/24. Press Enter after each."
          value={[...ranges]}
          onChange={(typed) => onChange({ ...access, ranges: typed })}
          acceptValueOnBlur
          error={findFault('access.ranges')}
        />
      )}
    </>
  );
}
