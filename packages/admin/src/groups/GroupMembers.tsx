import { useState } from 'react';

import { latestError, useAnswer, useChange } from '../api/queries.ts';
import { Failure } from '../kit/Failure.tsx';
import { Links } from '../kit/Links.tsx';
import { Loaded } from '../kit/Loaded.tsx';
import { Pager } from '../kit/Pager.tsx';
import { useLastPage } from '../kit/use-last-page.ts';
import { useFormats } from '../messages/messages.ts';
import { useOrganizationId } from '../session/organization.ts';
import { ChooseUser } from './choosers.tsx';

/** The paged list of a group's members. */
export function GroupMembers({ groupId }: { groupId: string }) {
  const { formatMessage } = useFormats();
  const organizationId = useOrganizationId();
  const [page, setPage] = useState(1);
  const members = useAnswer('listUsers', { organizationId, groupId, page });
  const add = useChange('addGroupMember');
  const remove = useChange('removeGroupMember');
  const error = latestError(add, remove);
  useLastPage(members.data?.totalPages, page, setPage);
  return (
    <Loaded query={members}>
      {({ items, ...list }) => (
        <>
          {error && <Failure error={error} />}
          <Links
            title={formatMessage('groups.members')}
            empty={formatMessage('groups.members.none')}
            links={items.map(({ id, name, email }) => ({
              id,
              name,
              detail: email,
              onRemove: () => remove.mutate({ organizationId, groupId, userId: id }),
            }))}
            footer={list.totalPages > 1 && <Pager {...list} page={page} onPage={setPage} />}
            add={
              <ChooseUser
                linked={items}
                onChoose={(userId) => add.mutate({ organizationId, groupId, userId })}
              />
            }
          />
        </>
      )}
    </Loaded>
  );
}
