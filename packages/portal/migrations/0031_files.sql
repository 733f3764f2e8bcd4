-- Oldest release: 0.2.0
-- Where data files are kept if the operator sets nothing. Release 0.2 knows the folder alone, so a portal
-- with organizations keeps it. The embedded database always does.
CREATE TABLE file_storage (initial text NOT NULL CHECK (initial IN ('folder', 'database')));
INSERT INTO file_storage
SELECT CASE WHEN EXISTS (SELECT FROM organizations) THEN 'folder' ELSE 'database' END;

-- The bytes of a file, in chunks. A content that no file names is removed in batches, an hour after its
-- last chunk was written; `is_removed` then keeps its writer from using it.
CREATE TABLE file_contents (
  id uuid PRIMARY KEY,
  written_at timestamptz NOT NULL DEFAULT now(),
  is_removed boolean NOT NULL DEFAULT false
);
-- Without a foreign key, since each chunk would lock the row of its content.
CREATE TABLE file_chunks (
  content_id uuid NOT NULL,
  part integer NOT NULL,
  bytes bytea NOT NULL,
  PRIMARY KEY (content_id, part)
);
-- The bytes are compressed already.
ALTER TABLE file_chunks ALTER COLUMN bytes SET STORAGE EXTERNAL;

-- Files whose bytes never change, by their name below the folder of the organization.
CREATE TABLE files (
  organization_id uuid NOT NULL REFERENCES organizations ON DELETE CASCADE,
  name text COLLATE "C" NOT NULL,
  sha256 text NOT NULL CHECK (sha256 ~ '^[0-9a-f]{64}$'),
  size bigint NOT NULL CHECK (size >= 0),
  -- Of a version: {"columns", "hints", "readings"}.
  described jsonb,
  -- NULL: the bytes are in the folders of the instances.
  content_id uuid REFERENCES file_contents,
  last_used_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (organization_id, name)
);
CREATE INDEX files_by_content ON files (content_id);

-- Data files by the names that authors gave them.
CREATE TABLE author_files (
  organization_id uuid NOT NULL,
  name text COLLATE "C" NOT NULL,
  file text COLLATE "C" NOT NULL,
  named_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (organization_id, name),
  FOREIGN KEY (organization_id, file) REFERENCES files ON DELETE CASCADE
);
CREATE INDEX author_files_by_file ON author_files (organization_id, file);
