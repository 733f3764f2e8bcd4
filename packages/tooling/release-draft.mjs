/** `node release-draft.mjs FOLDER`: the files of a release from the last build, for tests. */
import { writeRelease } from './release-files.mjs';

await writeRelease(process.argv[2]);
