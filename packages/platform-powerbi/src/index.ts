export { cloudNames, type CloudName } from './clouds.ts';
export { connectionSchema, type Connection, type Credential } from './connection.ts';
export { powerbi } from './description.ts';
export { PowerbiError, type PowerbiFailure } from './errors.ts';
export { powerbiPlatform, type PowerbiOptions, type SetUp } from './platform.ts';
