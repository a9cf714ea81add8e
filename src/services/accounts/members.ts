/** Reading the people of an account. */
import type { MemberResponse } from '../../schemas/responses/account';
import { decodeCursor, encodeCursor, ID_POSITION } from '../lists/cursor';
import type { ListPage, ListRequest } from '../lists/list-page';
import type { Dependencies } from '../ports/dependencies';
import { findMember } from './member-rules';
import { presentMember } from './present-account';

type Needs = Pick<Dependencies, 'stores'>;

/** Newest first. */
export async function listMembers(
  { stores }: Needs,
  accountId: string,
  { limit, cursor }: ListRequest,
): Promise<ListPage<MemberResponse>> {
  const scope = { accountId, list: 'members' };
  const [beforeId = null] = decodeCursor(scope, cursor, ID_POSITION) ?? [];
  const { rows, hasMore } = await stores.users.list(accountId, { limit, beforeId });
  const last = rows.at(-1);
  const nextCursor = hasMore && last !== undefined ? encodeCursor(scope, [last.id]) : null;
  return { data: rows.map(presentMember), nextCursor };
}

/** Throws `not_found`. */
export async function getMember(
  needs: Needs,
  accountId: string,
  userId: string,
): Promise<MemberResponse> {
  return presentMember(await findMember(needs, accountId, userId));
}
