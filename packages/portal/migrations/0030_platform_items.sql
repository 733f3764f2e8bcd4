-- Oldest release: 0.2.0
-- Datasets and reports of platforms beside `builtin` have no content file. Release 0.2 never shows them.
LOCK TABLE reports, datasets IN ACCESS EXCLUSIVE MODE;
ALTER TABLE datasets DROP CONSTRAINT datasets_have_content, ADD CONSTRAINT datasets_have_content
  CHECK (archived_at IS NOT NULL OR source IS NOT NULL AND num_nulls(slug, content, definition) IN (0, 3));
ALTER TABLE reports DROP CONSTRAINT reports_have_content, ADD CONSTRAINT reports_have_content
  CHECK (
    archived_at IS NOT NULL OR source IS NOT NULL
      AND num_nulls(slug, content, definition) = CASE platform WHEN 'builtin' THEN 0 ELSE 3 END
  );

CREATE OR REPLACE FUNCTION copy_dataset_source() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.source IS NOT NULL AND NEW.slug IS NULL THEN
    RETURN NEW;
  ELSIF NEW.source IS NOT NULL AND (TG_OP = 'INSERT' OR NEW.source IS DISTINCT FROM OLD.source) THEN
    NEW.definition := NEW.source -> 'definition';
    NEW.files := ARRAY(SELECT jsonb_array_elements_text(NEW.source -> 'files'));
    NEW.columns := NEW.source -> 'columns';
  ELSIF NEW.definition IS NOT NULL THEN
    NEW.source := jsonb_build_object(
      'definition', NEW.definition, 'files', NEW.files, 'columns', NEW.columns
    );
  END IF;
  RETURN NEW;
END $$;

-- For pages that ask whether an organization has reports of a platform with frames.
CREATE INDEX reports_by_platform ON reports (organization_id, platform);
