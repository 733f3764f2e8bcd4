import { Route, Switch } from 'wouter';

import { ApiKeysPage } from '../api-keys/ApiKeysPage.tsx';
import { CompaniesPage } from '../companies/CompaniesPage.tsx';
import { DatasetPage } from '../datasets/DatasetPage.tsx';
import { DatasetsPage } from '../datasets/DatasetsPage.tsx';
import { EmbeddingPage } from '../embedding/EmbeddingPage.tsx';
import { GroupPage } from '../groups/GroupPage.tsx';
import { GroupsPage } from '../groups/GroupsPage.tsx';
import { ArchivePage } from '../items/ArchivePage.tsx';
import { AccessLogPage } from '../logs/AccessLogPage.tsx';
import { ActivityLogPage } from '../logs/ActivityLogPage.tsx';
import { OverviewPage } from '../overview/OverviewPage.tsx';
import { PlatformsPage } from '../platforms/PlatformsPage.tsx';
import { ReportDetailsPage } from '../reports/ReportDetailsPage.tsx';
import { ReportsPage } from '../reports/ReportsPage.tsx';
import { OrganizationContext } from '../session/organization.ts';
import { AppearancePage } from '../settings/AppearancePage.tsx';
import { SettingsPage } from '../settings/SettingsPage.tsx';
import { SignInSettingsPage } from '../settings/SignInSettingsPage.tsx';
import { UserPage } from '../users/UserPage.tsx';
import { UsersPage } from '../users/UsersPage.tsx';
import { ViewAsPage } from '../users/ViewAsPage.tsx';
import { WorkspacesPage } from '../workspaces/WorkspacesPage.tsx';
import { Notice } from './Notice.tsx';

/** The pages of one organization. */
export function OrganizationPages({ organizationId }: { organizationId: string }) {
  return (
    <OrganizationContext value={organizationId}>
      <Switch>
        <Route path="/organizations/:organizationId" component={OverviewPage} />
        <Route path="/organizations/:organizationId/users" component={UsersPage} />
        <Route path="/organizations/:organizationId/users/:userId" component={UserPage} />
        <Route path="/organizations/:organizationId/users/:userId/view" component={ViewAsPage} />
        <Route path="/organizations/:organizationId/groups" component={GroupsPage} />
        <Route path="/organizations/:organizationId/groups/:groupId" component={GroupPage} />
        <Route path="/organizations/:organizationId/companies" component={CompaniesPage} />
        <Route path="/organizations/:organizationId/access-log" component={AccessLogPage} />
        <Route path="/organizations/:organizationId/activity-log" component={ActivityLogPage} />
        <Route path="/organizations/:organizationId/reports" component={ReportsPage} />
        <Route
          path="/organizations/:organizationId/reports/:reportId/edit"
          component={ReportDetailsPage}
        />
        <Route path="/organizations/:organizationId/datasets" component={DatasetsPage} />
        <Route path="/organizations/:organizationId/datasets/:datasetId" component={DatasetPage} />
        <Route path="/organizations/:organizationId/archive" component={ArchivePage} />
        <Route path="/organizations/:organizationId/workspaces" component={WorkspacesPage} />
        <Route path="/organizations/:organizationId/settings" component={SettingsPage} />
        <Route path="/organizations/:organizationId/settings/api-keys" component={ApiKeysPage} />
        <Route path="/organizations/:organizationId/settings/embedding" component={EmbeddingPage} />
        <Route
          path="/organizations/:organizationId/settings/appearance"
          component={AppearancePage}
        />
        <Route path="/organizations/:organizationId/settings/platforms" component={PlatformsPage} />
        <Route
          path="/organizations/:organizationId/settings/sign-in"
          component={SignInSettingsPage}
        />
        <Route>
          <Notice about="unknown" />
        </Route>
      </Switch>
    </OrganizationContext>
  );
}
