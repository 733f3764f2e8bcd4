-- Two roles in a database of the portal: the owner of the tables runs `portal migrate`, and the portal
-- runs with a role that cannot change them. Run it with psql as a superuser, with the two passwords in the
-- environment. In another database of the same server, it keeps the roles and needs no passwords.
--   OWNER_PASSWORD=… RUN_PASSWORD=… psql --dbname=portal --file=database.sql
\set ON_ERROR_STOP on
SELECT count(*) = 2 AS has_roles FROM pg_roles WHERE rolname IN ('portal_owner', 'portal_run') \gset
\if :has_roles
\else
  \getenv owner_password OWNER_PASSWORD
  \getenv run_password RUN_PASSWORD
  CREATE ROLE portal_owner LOGIN PASSWORD :'owner_password';
  CREATE ROLE portal_run LOGIN PASSWORD :'run_password';
\endif
GRANT ALL ON SCHEMA public TO portal_owner;
GRANT USAGE ON SCHEMA public TO portal_run;
ALTER DEFAULT PRIVILEGES FOR ROLE portal_owner IN SCHEMA public
  GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO portal_run;
