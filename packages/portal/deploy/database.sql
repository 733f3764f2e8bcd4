-- The database, and its two roles: the owner of the tables runs `portal migrate`, and the portal runs
-- with a role that cannot change them. Run it with psql as a superuser of the database `portal`, with the
-- two passwords in the environment:
--   OWNER_PASSWORD=… RUN_PASSWORD=… psql --dbname=portal --file=database.sql
\set ON_ERROR_STOP on
\getenv owner_password OWNER_PASSWORD
\getenv run_password RUN_PASSWORD
CREATE ROLE portal_owner LOGIN PASSWORD :'owner_password';
CREATE ROLE portal_run LOGIN PASSWORD :'run_password';
GRANT ALL ON SCHEMA public TO portal_owner;
GRANT USAGE ON SCHEMA public TO portal_run;
ALTER DEFAULT PRIVILEGES FOR ROLE portal_owner IN SCHEMA public
  GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO portal_run;
