import { integer } from 'drizzle-orm/sqlite-core';

/** A UTC time in milliseconds. */
// eslint-disable-next-line @typescript-eslint/explicit-module-boundary-types -- a builder whose type is its definition
export const instant = (name: string) => integer(name, { mode: 'timestamp_ms' });
