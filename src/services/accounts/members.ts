/** Reading the people of an account. */
import type { MemberResponse } from '../../schemas/responses/account';
import type { ListPage, ListRequest } from '../lists/list-page';
import { readList } from '../lists/read-list';
import type { Dependencies } from '../ports/dependencies';
import { findMember } from './member-rules';
import { presentMember } from './present-account';

type Needs = Pick<Dependencies, 'stores'>;

/** Newest first. */
export async function listMembers(
  { stores }: Needs,
  accountId: string,
  request: ListRequest,
): Promise<ListPage<MemberResponse>> {
  return readList({ accountId, list: 'members' }, request, {
    read: (query) => stores.users.list(accountId, query),
    present: presentMember,
  });
}

/** Throws `not_found`. */
export async function getMember(
  needs: Needs,
  accountId: string,
  userId: string,
): Promise<MemberResponse> {
  return presentMember(await findMember(needs, accountId, userId));
}
