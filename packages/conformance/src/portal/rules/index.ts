import type { PortalRule } from '../subject.ts';
import { auditRules } from './audit.ts';
import { envelopeRules, fieldRules } from './fields.ts';
import { listRules, pageRules } from './lists.ts';
import { mintRules } from './minting.ts';
import { openRules } from './not-specified.ts';
import { openedPageRules } from './opened-pages.ts';
import { openingRules } from './opening.ts';
import { authenticationRules, requestRules } from './requests.ts';
import { roleRules } from './roles.ts';
import { deletionRules, userRules } from './users.ts';

/**
 * Every rule for portals, in the order of the checks. Rules about the fields of all items come after
 * those that create and read items.
 */
export const portalRules: readonly PortalRule[] = [
  ...requestRules,
  ...authenticationRules,
  ...userRules,
  ...roleRules,
  ...mintRules,
  ...openingRules,
  ...openedPageRules,
  ...auditRules,
  ...listRules,
  ...pageRules,
  ...deletionRules,
  ...openRules,
  ...fieldRules,
  ...envelopeRules,
];
