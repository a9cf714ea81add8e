/** Selects a role. Offers the owner role only to owners. */
import { Select } from '@mantine/core';
import { MEMBER_ROLES } from '../../../../domain/accounts/roles';
import type { Member } from '../../../shared/data/api-types';
import { useSession } from '../../../shared/data/session';
import { ROLE_WORDS } from './strings';

type Role = Member['role'];

interface RoleSelectProps {
  readonly label: string;
  readonly isLabelShown?: boolean;
  readonly value: Role;
  readonly onChange: (role: Role) => void;
  readonly fault?: string | null;
  readonly disabled?: boolean;
}

export function RoleSelect({
  label,
  isLabelShown = false,
  value,
  onChange,
  fault = null,
  disabled = false,
}: RoleSelectProps) {
  const isOwner = useSession().user?.role === 'owner';
  const choose = (text: string | null): void => {
    const role = MEMBER_ROLES.find((known) => known === text);
    if (role !== undefined && role !== value) onChange(role);
  };
  return (
    <Select
      {...(isLabelShown ? { label } : { 'aria-label': label })}
      data={MEMBER_ROLES.filter((role) => isOwner || role !== 'owner').map((role) => ({
        value: role,
        label: ROLE_WORDS[role],
      }))}
      value={value}
      onChange={choose}
      allowDeselect={false}
      disabled={disabled}
      error={fault}
      size={isLabelShown ? 'sm' : 'xs'}
      w={isLabelShown ? undefined : 130}
    />
  );
}
