-- One row per key: how many permits of its latest window the instances have taken on lease, and how
-- many they had before the latest lease. Unlogged: no lease waits for the disk, and a crash may
-- forget it.
CREATE UNLOGGED TABLE rate_limit_windows (
  api_key_id    uuid PRIMARY KEY REFERENCES api_keys ON DELETE CASCADE,
  window_number bigint NOT NULL,
  leased_before integer NOT NULL,
  leased        integer NOT NULL
);
