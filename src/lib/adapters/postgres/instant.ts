import { timestamp } from 'drizzle-orm/pg-core';

/** A UTC time in milliseconds. */
// eslint-disable-next-line @typescript-eslint/explicit-module-boundary-types -- a builder whose type is its definition
export const instant = (name: string) =>
	timestamp(name, { precision: 3, withTimezone: true, mode: 'date' });
