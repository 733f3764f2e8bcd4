-- Rows that the demo of release 0.1 stored: its first five migrations and `npm start`. API keys and logs are left out.
INSERT INTO organizations (id, slug, name, accent_color, created_at) VALUES
  ('0393684f-56cc-4f7a-9936-3234ddabf40d', 'acme', 'Acme', '#0f6e56', '2026-01-01 00:00:00+00'),
  ('8f11c83b-f609-4c76-97cb-a0894450673f', 'globex', 'Globex', '#7a3fb0', '2026-01-01 00:00:00+00');

INSERT INTO organization_addresses (origin, organization_id) VALUES
  ('http://acme.portal.localhost:4000', '0393684f-56cc-4f7a-9936-3234ddabf40d'),
  ('http://globex.portal.localhost:4000', '8f11c83b-f609-4c76-97cb-a0894450673f');

INSERT INTO organization_embed_origins (organization_id, origin) VALUES
  ('0393684f-56cc-4f7a-9936-3234ddabf40d', 'http://acme.localhost:3000'),
  ('8f11c83b-f609-4c76-97cb-a0894450673f', 'http://globex.localhost:3000');

INSERT INTO users (organization_id, id, email, email_key, name, role, report_landing_page, department, expiration_date, directory_ad_user, can_edit_report, can_create_report, can_overwrite_report, created_at) VALUES
  ('0393684f-56cc-4f7a-9936-3234ddabf40d', '3f464cbd-d89e-4809-8516-d4bc6fdfdba3', 'all@acme.example', 'all@acme.example', 'Alma All', '3', NULL, '', NULL, NULL, 'false', 'false', 'false', '2026-01-01 00:00:00+00'),
  ('0393684f-56cc-4f7a-9936-3234ddabf40d', '53618a4b-f1d2-4d46-983c-d166e88a6afa', 'west@acme.example', 'west@acme.example', 'Wanda West', '3', NULL, '', NULL, NULL, 'false', 'false', 'false', '2026-01-01 00:00:00+00'),
  ('0393684f-56cc-4f7a-9936-3234ddabf40d', '7f828aab-6713-4224-9523-77ea69489d4e', 'none@acme.example', 'none@acme.example', 'Nora None', '3', NULL, '', NULL, NULL, 'false', 'false', 'false', '2026-01-01 00:00:00+00'),
  ('0393684f-56cc-4f7a-9936-3234ddabf40d', 'dfe14018-1409-4b02-9df4-783f8b62ddf2', 'east@acme.example', 'east@acme.example', 'Emil East', '3', NULL, '', NULL, NULL, 'false', 'false', 'false', '2026-01-01 00:00:00+00'),
  ('8f11c83b-f609-4c76-97cb-a0894450673f', 'b751ce1d-e4b9-46ba-94df-c7b3c5000ed7', 'viewer@globex.example', 'viewer@globex.example', 'Gus Globex', '3', NULL, '', NULL, NULL, 'false', 'false', 'false', '2026-01-01 00:00:00+00');

INSERT INTO groups (organization_id, id, name) VALUES
  ('0393684f-56cc-4f7a-9936-3234ddabf40d', 'b1da9106-f482-4a88-a8fe-461860b20da2', 'Sales leads'),
  ('8f11c83b-f609-4c76-97cb-a0894450673f', 'd5730e3d-50cb-42a9-a0b0-f302c5b11e4b', 'Operations');

INSERT INTO group_members (organization_id, group_id, user_id) VALUES
  ('0393684f-56cc-4f7a-9936-3234ddabf40d', 'b1da9106-f482-4a88-a8fe-461860b20da2', '3f464cbd-d89e-4809-8516-d4bc6fdfdba3'),
  ('8f11c83b-f609-4c76-97cb-a0894450673f', 'd5730e3d-50cb-42a9-a0b0-f302c5b11e4b', 'b751ce1d-e4b9-46ba-94df-c7b3c5000ed7');

INSERT INTO workspaces (organization_id, id, name) VALUES
  ('0393684f-56cc-4f7a-9936-3234ddabf40d', 'd36f96e5-c349-42fb-8869-240da7d39d0a', 'Sales'),
  ('0393684f-56cc-4f7a-9936-3234ddabf40d', 'e4d615c0-0890-44f5-acc3-259814329755', 'Operations'),
  ('8f11c83b-f609-4c76-97cb-a0894450673f', '4322cdb4-fc29-4ff5-9a23-c0e8aa419f90', 'Operations');

INSERT INTO datasets (organization_id, id, name, file) VALUES
  ('0393684f-56cc-4f7a-9936-3234ddabf40d', '3cfbf259-eea1-4e4d-b179-7aa2557019de', 'Superstore', 'superstore.parquet'),
  ('0393684f-56cc-4f7a-9936-3234ddabf40d', '64c2c27e-7ffe-427c-a564-d2dccac9092b', 'Flights', 'flights.parquet'),
  ('8f11c83b-f609-4c76-97cb-a0894450673f', '64c2c27e-7ffe-427c-a564-d2dccac9092b', 'Flights', 'flights.parquet');

INSERT INTO reports (organization_id, id, name, description, dataset_id, workspace_id, report_type, definition) VALUES
  ('0393684f-56cc-4f7a-9936-3234ddabf40d', '151ebeba-69a9-4396-94a5-03f63635a9a4', 'Flight delays', 'Three million flights in the United States, by the Department of Transportation.', '64c2c27e-7ffe-427c-a564-d2dccac9092b', 'e4d615c0-0890-44f5-acc3-259814329755', '1', '{"tiles": [{"id": "flights", "mark": "kpi", "title": "Number of flights", "measure": {"label": "Flights", "format": "integer", "aggregate": "count"}}, {"id": "delay-by-hour", "mark": "bar", "title": "Mean delay by hour of day", "measure": {"label": "Mean delay in minutes", "column": "delay", "format": "decimal", "aggregate": "mean"}, "dimension": {"by": "hour-of-day", "label": "Hour of day", "column": "date"}}]}'),
  ('0393684f-56cc-4f7a-9936-3234ddabf40d', '6cbec9b0-bb8b-429f-af0f-1695c336dd28', 'Superstore sales', 'Orders of a fictitious office supplier in the United States, 2014 to 2017.', '3cfbf259-eea1-4e4d-b179-7aa2557019de', 'd36f96e5-c349-42fb-8869-240da7d39d0a', '1', '{"tiles": [{"id": "total-sales", "mark": "kpi", "title": "Total sales", "measure": {"label": "Sales", "column": "Sales", "format": "dollars", "aggregate": "sum"}}, {"id": "sales-by-month", "mark": "line", "title": "Sales by month", "measure": {"label": "Sales", "column": "Sales", "format": "dollars", "aggregate": "sum"}, "dimension": {"by": "month", "label": "Month", "column": "Order Date"}}, {"id": "sales-by-category", "mark": "bar", "title": "Sales by category", "measure": {"label": "Sales", "column": "Sales", "format": "dollars", "aggregate": "sum"}, "dimension": {"by": "value", "label": "Category", "column": "Category"}}]}'),
  ('8f11c83b-f609-4c76-97cb-a0894450673f', '151ebeba-69a9-4396-94a5-03f63635a9a4', 'Flight delays', 'Three million flights in the United States, by the Department of Transportation.', '64c2c27e-7ffe-427c-a564-d2dccac9092b', '4322cdb4-fc29-4ff5-9a23-c0e8aa419f90', '1', '{"tiles": [{"id": "flights", "mark": "kpi", "title": "Number of flights", "measure": {"label": "Flights", "format": "integer", "aggregate": "count"}}, {"id": "delay-by-hour", "mark": "bar", "title": "Mean delay by hour of day", "measure": {"label": "Mean delay in minutes", "column": "delay", "format": "decimal", "aggregate": "mean"}, "dimension": {"by": "hour-of-day", "label": "Hour of day", "column": "date"}}]}');

INSERT INTO report_users (organization_id, report_id, user_id) VALUES
  ('0393684f-56cc-4f7a-9936-3234ddabf40d', '151ebeba-69a9-4396-94a5-03f63635a9a4', '53618a4b-f1d2-4d46-983c-d166e88a6afa'),
  ('0393684f-56cc-4f7a-9936-3234ddabf40d', '151ebeba-69a9-4396-94a5-03f63635a9a4', 'dfe14018-1409-4b02-9df4-783f8b62ddf2'),
  ('0393684f-56cc-4f7a-9936-3234ddabf40d', '6cbec9b0-bb8b-429f-af0f-1695c336dd28', '3f464cbd-d89e-4809-8516-d4bc6fdfdba3'),
  ('0393684f-56cc-4f7a-9936-3234ddabf40d', '6cbec9b0-bb8b-429f-af0f-1695c336dd28', '53618a4b-f1d2-4d46-983c-d166e88a6afa'),
  ('0393684f-56cc-4f7a-9936-3234ddabf40d', '6cbec9b0-bb8b-429f-af0f-1695c336dd28', '7f828aab-6713-4224-9523-77ea69489d4e'),
  ('0393684f-56cc-4f7a-9936-3234ddabf40d', '6cbec9b0-bb8b-429f-af0f-1695c336dd28', 'dfe14018-1409-4b02-9df4-783f8b62ddf2'),
  ('8f11c83b-f609-4c76-97cb-a0894450673f', '151ebeba-69a9-4396-94a5-03f63635a9a4', 'b751ce1d-e4b9-46ba-94df-c7b3c5000ed7');

INSERT INTO report_groups (organization_id, report_id, group_id) VALUES
  ('0393684f-56cc-4f7a-9936-3234ddabf40d', '151ebeba-69a9-4396-94a5-03f63635a9a4', 'b1da9106-f482-4a88-a8fe-461860b20da2');

INSERT INTO rls_roles (organization_id, id, dataset_id, name, predicate) VALUES
  ('0393684f-56cc-4f7a-9936-3234ddabf40d', '2812304a-6df2-4ab0-827b-f65b99639631', '3cfbf259-eea1-4e4d-b179-7aa2557019de', 'Central', '{"in": ["Central"], "column": "Region"}'),
  ('0393684f-56cc-4f7a-9936-3234ddabf40d', '8c775269-ab3f-412f-8530-bf408d7ca0f2', '3cfbf259-eea1-4e4d-b179-7aa2557019de', 'West', '{"in": ["West"], "column": "Region"}'),
  ('0393684f-56cc-4f7a-9936-3234ddabf40d', 'a447e2a0-8bbf-4b27-b4da-352bc056a1f3', '3cfbf259-eea1-4e4d-b179-7aa2557019de', 'East', '{"in": ["East"], "column": "Region"}'),
  ('0393684f-56cc-4f7a-9936-3234ddabf40d', 'ff6942b8-a9ac-4417-8b22-98212f2b4f4c', '3cfbf259-eea1-4e4d-b179-7aa2557019de', 'South', '{"in": ["South"], "column": "Region"}');

INSERT INTO rls_role_users (organization_id, role_id, user_id) VALUES
  ('0393684f-56cc-4f7a-9936-3234ddabf40d', '2812304a-6df2-4ab0-827b-f65b99639631', '3f464cbd-d89e-4809-8516-d4bc6fdfdba3'),
  ('0393684f-56cc-4f7a-9936-3234ddabf40d', '8c775269-ab3f-412f-8530-bf408d7ca0f2', '3f464cbd-d89e-4809-8516-d4bc6fdfdba3'),
  ('0393684f-56cc-4f7a-9936-3234ddabf40d', '8c775269-ab3f-412f-8530-bf408d7ca0f2', '53618a4b-f1d2-4d46-983c-d166e88a6afa'),
  ('0393684f-56cc-4f7a-9936-3234ddabf40d', 'a447e2a0-8bbf-4b27-b4da-352bc056a1f3', '3f464cbd-d89e-4809-8516-d4bc6fdfdba3'),
  ('0393684f-56cc-4f7a-9936-3234ddabf40d', 'a447e2a0-8bbf-4b27-b4da-352bc056a1f3', 'dfe14018-1409-4b02-9df4-783f8b62ddf2'),
  ('0393684f-56cc-4f7a-9936-3234ddabf40d', 'ff6942b8-a9ac-4417-8b22-98212f2b4f4c', '3f464cbd-d89e-4809-8516-d4bc6fdfdba3');
