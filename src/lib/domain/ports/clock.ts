/** The only way time enters the domain. */
export interface Clock {
	now(): Date;
}
