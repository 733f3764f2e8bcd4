-- Oldest release: 0.2.0
-- What a platform keeps of a dataset and of a report, in its own shape. `builtin` keeps of a dataset
-- {"definition", "files", "columns"}, and of a report its definition.
LOCK TABLE reports, datasets IN ACCESS EXCLUSIVE MODE;
ALTER TABLE reports ADD COLUMN source jsonb;
-- Without `platform`, which would be ambiguous in a statement of release 0.2: only reports have it yet.
ALTER TABLE datasets ADD COLUMN source jsonb;
UPDATE reports SET source = definition WHERE definition IS NOT NULL;
UPDATE datasets
SET source = jsonb_build_object('definition', definition, 'files', files, 'columns', columns)
WHERE definition IS NOT NULL;

-- Release 0.2 reads and writes the former columns. A later migration removes them and these triggers.
CREATE FUNCTION copy_report_source() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.platform <> 'builtin' THEN
    RETURN NEW;
  ELSIF NEW.source IS NOT NULL AND (TG_OP = 'INSERT' OR NEW.source IS DISTINCT FROM OLD.source) THEN
    NEW.definition := NEW.source;
  ELSE
    NEW.source := NEW.definition;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER copy_source BEFORE INSERT OR UPDATE OF source, definition ON reports
  FOR EACH ROW EXECUTE FUNCTION copy_report_source();

CREATE FUNCTION copy_dataset_source() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.source IS NOT NULL AND (TG_OP = 'INSERT' OR NEW.source IS DISTINCT FROM OLD.source) THEN
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
CREATE TRIGGER copy_source BEFORE INSERT OR UPDATE OF source, definition, files, columns ON datasets
  FOR EACH ROW EXECUTE FUNCTION copy_dataset_source();
