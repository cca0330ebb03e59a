/** The only source of time in the domain. */
export interface Clock {
	now(): Date;
}
