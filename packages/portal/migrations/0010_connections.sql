-- Oldest release: 0.1.0
-- Which organizations may use which connection of the environment. A connection is named and not
-- referenced, so a grant stays while a variable is missing.
CREATE TABLE connection_grants (
  organization_id uuid NOT NULL REFERENCES organizations ON DELETE CASCADE,
  connection      text COLLATE "C" NOT NULL,
  PRIMARY KEY (organization_id, connection)
);
CREATE INDEX connection_grants_by_connection ON connection_grants (connection);
